//! Value classes, which are compared, hashed and pickled by their fields, and range checks for numbers.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::ops::RangeInclusive;

/// Declares a class with read-only fields, a constructor that takes all of them, and further methods.
macro_rules! value {
    (
        $(#[$about:meta])*
        pub struct $name:ident { $($(#[$note:meta])* $field:ident: $type:ty,)+ }
        $($methods:tt)*
    ) => {
        $(#[$about])*
        #[pyclass(frozen, get_all, module = "sanban")]
        pub struct $name { $($(#[$note])* $field: $type,)+ }

        #[pymethods]
        impl $name {
            #[new]
            #[allow(clippy::too_many_arguments, reason = "one argument per field")]
            fn new($($field: $type),+) -> Self {
                Self { $($field),+ }
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<$crate::value::Reduced<'py>> {
                let fields = $crate::value::fields(slf.as_any(), &[$(stringify!($field)),+])?;
                Ok((slf.get_type().into_any(), fields))
            }

            fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
                let names = [$(stringify!($field)),+];
                if !other.is_instance_of::<Self>() {
                    return Ok(false);
                }
                $crate::value::fields(slf.as_any(), &names)?.eq($crate::value::fields(other, &names)?)
            }

            fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
                $crate::value::fields(slf.as_any(), &[$(stringify!($field)),+])?.hash()
            }

            $($methods)*
        }
    };
}
pub(crate) use value;

/// The pickled form of an object: its class, and the arguments of the constructor.
pub type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// Returns the fields of an object. Lists are converted to tuples, which are hashable.
pub fn fields<'py>(object: &Bound<'py, PyAny>, names: &[&str]) -> PyResult<Bound<'py, PyTuple>> {
    let values: PyResult<Vec<_>> = names
        .iter()
        .map(|name| {
            let value = object.getattr(name)?;
            Ok(match value.cast::<PyList>() {
                Ok(list) => list.to_tuple().into_any(),
                Err(_) => value,
            })
        })
        .collect();
    PyTuple::new(object.py(), values?)
}

/// Checks that a number is within bounds; the error names the argument.
pub fn bounded<T: TryFrom<i64>>(name: &str, value: i64, bounds: RangeInclusive<i64>) -> PyResult<T> {
    let within = bounds.contains(&value).then(|| T::try_from(value).ok()).flatten();
    within.ok_or_else(|| {
        let (least, most) = bounds.into_inner();
        let bounds =
            if most == i64::MAX { format!("at least {least}") } else { format!("{least} to {most}") };
        PyValueError::new_err(format!("{name} is {value}, expected {bounds}"))
    })
}

/// Checks a number of threads.
pub fn thread_count(threads: i64) -> PyResult<usize> {
    bounded("threads", threads, 1..=1024)
}

/// Checks a table size in megabytes, which must be at least `least`.
pub fn megabytes(hash: i64, least: i64) -> PyResult<usize> {
    bounded("hash", hash, least..=1 << 20)
}
