//! The pages that the engine is measured on: the same content, a few times or five hundred times.

use axum::Router;
use axum::response::Html;
use axum::routing::get;

/// One item: ten elements, names of every kind.
fn item(number: usize) -> String {
    format!(
        "<div class=card><h3>Item number {number}</h3><p>Some <b>bold</b> words about it</p><a href='#{number}'>Open item \
         {number}</a><button aria-label='Buy {number}' onclick='bought += 1'><span>Buy</span></button><label>Quantity \
         {number} <input value=1></label><hr></div>"
    )
}

fn page(items: usize) -> Html<String> {
    let items: String = (0..items).map(item).collect();
    Html(format!(
        "<!doctype html><html lang=en><head><title>Shop</title><style>.card {{ border: 1px solid silver; margin: 4px }} \
         .card:hover {{ border-color: black }} button {{ cursor: pointer }}</style><script>let bought = 0</script></head>\
         <body><h1>Shop</h1><main>{items}</main></body></html>"
    ))
}

/// Serves `/small` (about 60 elements) and `/large` (about 5,000) until the process ends; answers the address.
pub async fn serve() -> String {
    let router = Router::new().route("/small", get(|| async { page(6) })).route("/large", get(|| async { page(500) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
    format!("http://{address}")
}
