//! Writes test results as JUnit XML, for tools that show tests.
use super::{Duration, TestResult};
use std::fmt::Write as _;

/// The results as JUnit XML, one suite a file, for machines that show tests.
pub fn to_junit(results: &[TestResult]) -> String {
    let mut files: Vec<&str> = Vec::new();
    for r in results {
        if !files.contains(&r.file.as_str()) {
            files.push(&r.file);
        }
    }
    let failed = results.iter().filter(|r| r.failure.is_some()).count();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites tests=\"{}\" failures=\"{failed}\">", results.len());
    for file in files {
        let of: Vec<&TestResult> = results.iter().filter(|r| r.file == file).collect();
        let failed = of.iter().filter(|r| r.failure.is_some()).count();
        let time: Duration = of.iter().map(|r| r.time).sum();
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" time=\"{:.3}\">",
            escape_xml(file),
            of.len(),
            time.as_secs_f64()
        );
        for r in of {
            let head = format!(
                "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3}\"",
                escape_xml(&r.title),
                escape_xml(file),
                r.time.as_secs_f64()
            );
            match &r.failure {
                None => {
                    let _ = writeln!(out, "{head}/>");
                }
                Some(f) => {
                    let _ = writeln!(
                        out,
                        "{head}>\n      <failure message=\"{}\">{}</failure>\n    </testcase>",
                        escape_xml(&f.message),
                        escape_xml(&f.to_string())
                    );
                }
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// A text as XML can hold it: marks escaped, control characters left out.
fn escape_xml(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Failure;
    use super::*;
    use houserule_text::Span;

    #[test]
    fn junit_escapes_and_counts() {
        let result = |title: &str, failure: Option<&str>| TestResult {
            title: title.into(),
            file: "a.rules".into(),
            span: Span::default(),
            failure: failure.map(|m| Failure {
                span: Span::default(),
                place: "a.rules:3:4".into(),
                message: m.into(),
            }),
            broken_by: None,
            time: Duration::from_millis(1500),
        };
        let xml = to_junit(&[result("a < b", None), result("c", Some("\"x\" & y\u{1}"))]);
        assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
        assert!(xml.contains("name=\"a &lt; b\" classname=\"a.rules\" time=\"1.500\"/>"), "{xml}");
        assert!(
            xml.contains("message=\"&quot;x&quot; &amp; y\">a.rules:3:4: &quot;x&quot; &amp; y</failure>"),
            "{xml}"
        );
    }
}
