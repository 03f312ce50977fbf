//! Images as texts: whatever reads files hands on texts, so a PNG is wrapped in an SVG when it is read.
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// An SVG that shows a PNG and nothing else. Whether the bytes are a PNG at all is judged where images are checked.
pub fn wrap_png(bytes: &[u8]) -> String {
    let number =
        |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(1, u32::from_be_bytes);
    // Behind the signature and the head of the first chunk stand width and height.
    let (wide, high) = (number(16).max(1), number(20).max(1));
    let data = STANDARD.encode(bytes);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\"><image width=\"{wide}\" height=\"{high}\" href=\"data:image/png;base64,{data}\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_keeps_its_size() {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend([0, 0, 1, 44, 0, 0, 0, 7]);
        assert!(
            wrap_png(&bytes)
                .contains("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"300\" height=\"7\">")
        );
        assert!(wrap_png(b"no image").contains("width=\"1\""));
    }
}
