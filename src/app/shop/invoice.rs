//! Invoices: one page of PDF with what was ordered, by whom, and what it cost.

use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::order::Order;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const PLAIN: (Ref, Name<'static>) = (Ref::new(5), Name(b"Plain"));
const BOLD: (Ref, Name<'static>) = (Ref::new(6), Name(b"Bold"));
const INFORMATION: Ref = Ref::new(7);

/// A4 in points.
const PAPER: Rect = Rect { x1: 0.0, y1: 0.0, x2: 595.0, y2: 842.0 };

/// Where the columns of the articles begin, in points from the left.
const COLUMNS: [f32; 3] = [72.0, 110.0, 440.0];

/// The invoice of an order. The same order gives the same bytes.
pub(super) fn invoice(order: &Order) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.document_info(INFORMATION).title(TextStr(&format!("Invoice {}", order.number)));
    pdf.pages(PAGES).kids([PAGE]).count(1);
    let mut page = pdf.page(PAGE);
    page.media_box(PAPER).parent(PAGES).contents(CONTENT);
    page.resources().fonts().pair(PLAIN.1, PLAIN.0).pair(BOLD.1, BOLD.0);
    page.finish();
    for ((reference, _), font) in [(PLAIN, "Helvetica"), (BOLD, "Helvetica-Bold")] {
        let mut dictionary = pdf.type1_font(reference);
        dictionary.base_font(Name(font.as_bytes())).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
    pdf.stream(CONTENT, &text(order));
    pdf.finish()
}

/// The page's text: a cart holds so few articles that they always fit.
fn text(order: &Order) -> Vec<u8> {
    let mut sheet = Sheet { content: Content::new(), height: 740.0 };
    sheet.line(BOLD.1, 22.0, &[(COLUMNS[0], "Larkfield")]);
    sheet.skip(18.0);
    sheet.line(BOLD.1, 14.0, &[(COLUMNS[0], &format!("Invoice for order {}", order.number))]);
    sheet.line(PLAIN.1, 11.0, &[(COLUMNS[0], &format!("Date: {}", order.date))]);
    sheet.skip(18.0);
    let address = &order.address;
    let place = format!("{} {}", address.postcode, address.city);
    let country = format!("{}, {}", address.region, address.country);
    for line in [&address.name, &address.street, &place, &country] {
        sheet.line(PLAIN.1, 11.0, &[(COLUMNS[0], line)]);
    }
    sheet.skip(18.0);
    for line in &order.lines {
        let (quantity, sum) = (line.quantity.to_string(), line.price.times(line.quantity).to_string());
        sheet.line(PLAIN.1, 11.0, &[(COLUMNS[0], &quantity), (COLUMNS[1], &line.article), (COLUMNS[2], &sum)]);
    }
    sheet.skip(6.0);
    sheet.line(BOLD.1, 11.0, &[(COLUMNS[1], "Total"), (COLUMNS[2], &order.total.to_string())]);
    sheet.skip(18.0);
    sheet.line(PLAIN.1, 11.0, &[(COLUMNS[0], &format!("Paid with the card ending in {}", order.card))]);
    sheet.content.finish().into_vec()
}

/// A page that is written from top to bottom.
struct Sheet {
    content: Content,
    /// Of the next line, in points from the bottom.
    height: f32,
}

impl Sheet {
    fn line(&mut self, font: Name<'_>, size: f32, cells: &[(f32, &str)]) {
        for (left, text) in cells {
            self.content.begin_text().set_font(font, size).next_line(*left, self.height);
            self.content.show(Str(&windows_1252(text))).end_text();
        }
        self.skip(size * 1.5);
    }

    fn skip(&mut self, points: f32) {
        self.height -= points;
    }
}

/// The text in the encoding of the page's fonts; what that can't write becomes a question mark.
fn windows_1252(text: &str) -> Vec<u8> {
    let byte = |character: char| match character {
        '€' => 0x80,
        '’' => 0x92,
        '–' => 0x96,
        _ => {
            let printable = |byte: &u8| matches!(byte, 0x20..=0x7e | 0xa0..);
            u8::try_from(character).ok().filter(printable).unwrap_or(b'?')
        }
    };
    text.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::super::order::seeded_orders;
    use super::*;

    #[test]
    fn an_invoice_shows_its_order() {
        let order = seeded_orders("").next().unwrap();
        let bytes = invoice(&order);
        assert!(bytes.starts_with(b"%PDF-1.") && bytes.trim_ascii_end().ends_with(b"%%EOF"));
        let strings = String::from_utf8_lossy(&bytes);
        let shown: Vec<&str> = strings.lines().filter_map(|line| line.strip_suffix(" Tj")).collect();
        assert_eq!(
            shown,
            [
                "(Larkfield)",
                "(Invoice for order R-10023)",
                "(Date: 2025-06-03)",
                "(Ada Lovelace)",
                "(12 St James's Square)",
                "(SW1Y 4JH London)",
                "(England, United Kingdom)",
                "(1)",
                "(Teapot)",
                // `€ 34.50` in the fonts' encoding.
                "<802033342E3530>",
                "(1)",
                "(Vase)",
                "<802033392E3030>",
                "(Total)",
                "<802037332E3530>",
                "(Paid with the card ending in 4242)",
            ]
        );
    }

    #[test]
    fn other_letters_do_not_break_the_page() {
        assert_eq!(windows_1252("€ 5 – Zoë’s 茶\n"), b"\x80 5 \x96 Zo\xeb\x92s ??");
    }
}
