package import BillfoldDiagnosis
package import BillfoldWeb

extension ConnectGuide {
    /// A merchant's own server for express orders.
    ///
    /// - Parameters:
    ///   - gateway: The origin of the order gateway.
    ///   - cashier: The web cashier of the wallet.
    ///   - key: With which merchants of the sandbox register themselves.
    package static func expressMerchant(gateway: String, cashier: String, key: Secret<String>) -> Self {
        Self(
            slug: "express-merchant",
            title: .init("A merchant of Alipay express orders", "支付宝快捷订单商户"),
            summary: .init(
                "Your server signs orders with keys of its own, answers notifications, queries and refunds. Gateway, cashier and payer are played.",
                "由你的服务器用自己的密钥签名订单、应答通知、查询和退款；网关、收银台和付款人由沙箱扮演。"),
            values: [
                .init("ALIPAY_GATEWAY", gateway + "/gateway.do", meaning: .init("The gateway, for both generations", "网关地址，新旧两代接口通用")),
                .init("ALIPAY_CASHIER", cashier, meaning: .init("The web cashier, which takes an order string", "网页收银台，接收订单串")),
                .init("BILLFOLD_ONBOARDING", gateway + "/onboarding/v1/merchants", meaning: .init("Where you register", "登记商户的地址")),
                .init(
                    "BILLFOLD_ONBOARDING_KEY", key.reveal(),
                    meaning: .init("With which you register, sent as a bearer", "登记用的密钥，以 Bearer 发送")),
            ],
            steps: [
                .init(
                    .init("Make a key and register", "生成密钥并登记"),
                    .init(
                        "The command makes your key, names its public half, your numbers and where you may be notified, and keeps the gateway's public key. What this page gives and what is your own then stands in one file.",
                        "该命令生成密钥，提交公钥、编号和允许通知的来源，并保存网关公钥；本页的地址和你自己的参数都写入同一个文件。"),
                    command: "billfold sandbox register merchant --to my-shop\nset -a; . my-shop/merchant.env; set +a"),
                .init(
                    .init("Sign an order and have it paid", "签名订单并付款"),
                    .init(
                        "Sign the sorted parameters, and post the string to the cashier, or open the wallet's app with it. The program prints where to pay, and does all that follows.",
                        "对排序后的参数签名，把订单串提交到收银台，或用它打开钱包 App。该程序会打印付款地址，并完成后续各步。"),
                    command: "python3 Examples/BackEnds/merchant/python/express_orders.py"),
                .init(
                    .init("Answer the notification", "应答通知"),
                    .init(
                        "Verify its signature, compare the amount, answer success and nothing else. It comes again until you do.",
                        "验签、核对金额，只返回 success；否则会重复通知。")),
                .init(
                    .init("Ask when nothing comes", "没有通知时查询"),
                    .init(
                        "alipay.trade.query is the last word. A trade that closed with refund_fee 0.00 was never paid.",
                        "以 alipay.trade.query 为准。refund_fee 为 0.00 的关闭交易从未付款。")),
            ])
    }
}
