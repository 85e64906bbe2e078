//! JSON, as Python's objects and as text of Python's own `json`.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString};
use serde_json::{Map, Value};

use super::BadConfig;

/// An object with the members of two objects.
pub(super) fn joined(objects: [Value; 2]) -> Value {
    let members = |object| if let Value::Object(members) = object { members } else { Map::new() };
    objects.into_iter().flat_map(members).collect()
}

/// Converts a Python object to JSON with Python's own `json`, whose errors name unsupported values.
pub(super) fn to_json(object: Option<&Bound<'_, PyAny>>) -> PyResult<Value> {
    let Some(object) = object else { return Ok(Value::Null) };
    let text: String = match object.py().import("json")?.call_method1("dumps", (object,)) {
        Ok(text) => text.extract()?,
        Err(error) => return Err(BadConfig::new_err(format!("not a JSON object: {error}"))),
    };
    serde_json::from_str(&text)
        .map_err(|error| BadConfig::new_err(format!("not JSON: {}", why_unreadable(&error))))
}

/// What is wrong with text that Python's `json` has written.
fn why_unreadable(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split(" at line ").next().unwrap_or(&text) {
        // What Python writes for them begins like no value, or like a negative number.
        "expected value" | "invalid number" => "a number is NaN or infinite".into(),
        "number out of range" => "a number is too large".into(),
        "recursion limit exceeded" => "lists and objects are nested too deeply".into(),
        other => other.into(),
    }
}

/// Converts JSON to a Python object.
pub(super) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into_pyobject(py)?.into_any(),
            None => match number.as_u64() {
                Some(whole) => whole.into_pyobject(py)?.into_any(),
                None => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
            },
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let items: PyResult<Vec<_>> = items.iter().map(|item| to_python(py, item)).collect();
            PyList::new(py, items?)?.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (name, member) in members {
                dict.set_item(name, to_python(py, member)?)?;
            }
            dict.into_any()
        }
    })
}
