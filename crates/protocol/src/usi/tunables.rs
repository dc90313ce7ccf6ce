//! The search parameters as options, in builds with the feature `tune`, and their description for programs that tune
//! engines (the `usi_tunables` command of ShogiArena).

use once_cell::sync::Lazy;
use sanban_engine::params::Params;
use sanban_rules::setting::{Setting, SettingKind};

/// Name, default, minimum and maximum of each parameter; empty without the feature.
#[cfg(feature = "tune")]
const SPEC: &[(&str, i32, i32, i32)] = Params::SPEC;
#[cfg(not(feature = "tune"))]
const SPEC: &[(&str, i32, i32, i32)] = &[];

static SETTINGS: Lazy<Vec<Setting>> = Lazy::new(|| {
    let setting = |&(name, default, lo, hi): &(&'static str, i32, i32, i32)| Setting {
        name,
        kind: SettingKind::Spin(default.into(), lo.into(), hi.into()),
    };
    SPEC.iter().map(setting).collect()
});

/// One spin option for each parameter.
pub fn settings() -> &'static [Setting] {
    &SETTINGS
}

/// The answer to `usi_tunables`: all parameters as JSON on one line, then the terminating line. `c_end` is the step
/// size of the last update.
pub fn manifest() -> String {
    let row = |&(name, default, lo, hi): &(&str, i32, i32, i32)| {
        let step = Params::step(default, lo, hi);
        format!(
            "{{\"id\":\"{name}\",\"option\":\"{name}\",\"value_type\":\"int\",\"encoding\":\"integer\",\
             \"default\":{default},\"min\":{lo},\"max\":{hi},\"schedule\":{{\"c_end\":{step},\"r_end\":0.002}}}}"
        )
    };
    let rows: Vec<_> = SPEC.iter().map(row).collect();
    format!(
        "info string shogiarena_tunables_json \
         {{\"schema_version\":\"shogiarena.usi_tunables.v1\",\"tunables\":[{}]}}\nusi_tunablesok",
        rows.join(",")
    )
}
