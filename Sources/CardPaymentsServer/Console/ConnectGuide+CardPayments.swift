package import BillfoldDiagnosis
package import BillfoldWeb

extension ConnectGuide {
    /// A merchant's own back end in the place of the shop.
    ///
    /// - Parameters:
    ///   - server: The origin of this server.
    ///   - key: The merchant's API key.
    ///   - payPage: Where a customer pays an order of UnionPay's own client, without its number.
    package static func cardMerchant(server: String, key: Secret<String>, payPage: String) -> Self {
        Self(
            slug: "card-merchant",
            title: .init("A merchant who takes Apple Pay", "接受 Apple Pay 的商户"),
            summary: .init(
                "Your back end makes the orders, hears of every payment and gives money back. UnionPay, the phone and the shop's customers are played.",
                "由你的后台下单、接收支付结果并发起退款；银联、手机和顾客由沙箱扮演。"),
            values: [
                .init("BILLFOLD_API", server, meaning: .init("The card-payments server", "卡支付服务器地址")),
                .init(
                    "BILLFOLD_API_KEY", key.reveal(), meaning: .init("The merchant's API key, sent as a bearer", "商户 API 密钥，以 Bearer 发送")),
                .init(
                    "BILLFOLD_PAY_PAGE", payPage,
                    meaning: .init("Where a customer pays, with an order's number behind it", "顾客付款页，后面加上交易流水号 tn")),
            ],
            steps: [
                .init(
                    .init("Make an order", "下单"),
                    .init(
                        "The server prices it. Hand id and clientSecret to the app, and keep the API key to yourself.",
                        "由服务器计价。把 id 和 clientSecret 交给 App，API 密钥留在后台。"),
                    command: #"""
                        curl -s --json '{"reference":"mine-1","goods":"electronic","currency":"CNY","country":"CN","merchantName":"Mine",
                          "lines":[{"label":"Field guide","unitAmount":"33.00","quantity":1}]}' "$BILLFOLD_API/v1/orders" \
                          -H "Authorization: Bearer $BILLFOLD_API_KEY" -H 'Idempotency-Key: mine-1' > order.json
                        """#),
                .init(
                    .init("Have it paid", "付款"),
                    .init(
                        "Ask for an order number of UnionPay's own client, open the address that is printed in a browser, and pay; or let your app present the sheet on the simulated phone.",
                        "申请银联控件的交易流水号，在浏览器中打开打印出的地址并付款；或让你的 App 在模拟手机上弹出支付面板。"),
                    command: #"""
                        curl -s --json '{}' "$BILLFOLD_API/v1/orders/$(jq -r .id order.json)/transaction-numbers" \
                          -H "Authorization: Bearer $(jq -r .clientSecret order.json)" -H 'Idempotency-Key: number-1' > number.json
                        echo "$BILLFOLD_PAY_PAGE/$(jq -r .tn number.json)?scheme=mine&mode=01"
                        """#),
                .init(
                    .init("Hear what became of it", "接收结果"),
                    .init(
                        "Register an address for signed webhooks; the answer has the secret to verify them with, once. Or read the feed of events. The app's word alone is no proof.",
                        "登记接收签名 webhook 的地址，应答中有验签密钥，只显示一次；或读取事件流。App 端的返回不能作为凭证。"),
                    command: #"""
                        curl -s --json '{"url":"http://127.0.0.1:3000/hook"}' "$BILLFOLD_API/v1/webhook-endpoints" \
                          -H "Authorization: Bearer $BILLFOLD_API_KEY" > endpoint.json
                        curl -s "$BILLFOLD_API/v1/events?type=payment.succeeded,payment.failed" -H "Authorization: Bearer $BILLFOLD_API_KEY"
                        """#),
                .init(
                    .init("Give a part back", "部分退款"),
                    .init(
                        "A refund is accepted first and settled later: its event says which. Ask again under the same key, never under a new one.",
                        "退款先被受理，之后才完成，以事件为准。重试时使用同一个幂等键。"),
                    command: #"""
                        payment=$(curl -s "$BILLFOLD_API/v1/orders/$(jq -r .id order.json)" \
                          -H "Authorization: Bearer $BILLFOLD_API_KEY" | jq -r '.payments[0].id')
                        curl -s --json '{"amount":"10.00","reason":"part"}' "$BILLFOLD_API/v1/payments/$payment/refunds" \
                          -H "Authorization: Bearer $BILLFOLD_API_KEY" -H 'Idempotency-Key: back-1'
                        """#),
                .init(
                    .init("See it as a program", "参考完整程序"),
                    .init(
                        "Order, payment, webhook and refund in Python; the same stands beside it for Node and Java.",
                        "用 Python 完成下单、付款、webhook 和退款；旁边有 Node 和 Java 版本。"),
                    command: "python3 Examples/BackEnds/merchant/python/card_payments.py"),
            ])
    }
}
