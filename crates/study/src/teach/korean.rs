//! Korean particles, which depend on the sound before them.

/// The form of a particle after a text, named by its form after a final consonant: `을` for the object, `이` for the
/// subject, `과` for "and"; an empty text for other names.
pub fn particle(text: &str, name: &str) -> &'static str {
    let (closed, open) = match name {
        "을" => ("을", "를"),
        "이" => ("이", "가"),
        "과" => ("과", "와"),
        _ => return "",
    };
    if is_closed(text) { closed } else { open }
}

/// Returns whether the last syllable, as it is read, ends in a consonant. Brackets at the end are not read, digits are.
fn is_closed(text: &str) -> bool {
    let mut text = text.trim_end_matches(['+', '.', '…', ' ']);
    while let Some((before, _)) = text.strip_suffix(')').and_then(|inside| inside.rsplit_once('(')) {
        text = before.trim_end();
    }
    match text.chars().next_back() {
        // 영, 일, 삼, 육, 칠, 팔 end in a consonant; 이, 사, 오, 구 do not.
        Some(digit @ '0'..='9') => "013678".contains(digit),
        Some(letter) if ('\u{AC00}'..='\u{D7A3}').contains(&letter) => {
            !(u32::from(letter) - 0xAC00).is_multiple_of(28)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_follow_the_last_sound() {
        let objects = [
            "56의 은",
            "28의 비차",
            "33각(44)",
            "34비(44)",
            "43비(44) 승격",
            "34보놓기",
            "73졸63",
            "73졸64",
            "",
        ];
        let add = |text: &str, name| format!("{text}{}", particle(text, name));
        let with_particle = objects.map(|text| add(text, "을"));
        assert_eq!(
            with_particle,
            [
                "56의 은을",
                "28의 비차를",
                "33각(44)을",
                "34비(44)를",
                "43비(44) 승격을",
                "34보놓기를",
                "73졸63을",
                "73졸64를",
                "를"
            ]
        );
        assert_eq!(
            [add("은", "과"), add("비차", "과"), add("은", "이"), add("비차", "이")],
            ["은과", "비차와", "은이", "비차가"]
        );
    }
}
