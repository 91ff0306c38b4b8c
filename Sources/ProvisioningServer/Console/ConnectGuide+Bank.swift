package import BillfoldDiagnosis
package import BillfoldWeb

extension ConnectGuide {
    /// A bank's own back end at its issuer's host.
    ///
    /// - Parameters:
    ///   - host: The origin of this server.
    ///   - key: The bank's.
    ///   - broker: The origin of the played wallet broker.
    package static func bank(host: String, key: Secret<String>, broker: String) -> Self {
        Self(
            slug: "bank",
            title: .init("A bank that puts cards into a wallet", "把卡加入钱包的银行"),
            summary: .init(
                "Your back end opens sessions for its customers and tells of its cards. Wallet, broker, network and processor are played.",
                "由你的后台为客户建立会话并上报卡片状态；钱包、中介、卡组织和发卡处理方由沙箱扮演。"),
            values: [
                .init("BILLFOLD_PROVISIONING", host, .init("The issuer's host", "发卡行主机地址")),
                .init("BILLFOLD_BANK_KEY", key.reveal(), .init("The bank's key, sent as a bearer", "银行密钥，以 Bearer 发送")),
                .init("BILLFOLD_BROKER", broker, .init("The wallet's broker, which a phone calls", "手机调用的钱包中介地址")),
            ],
            steps: [
                .init(
                    .init("Open a session for a customer", "为客户建立会话"),
                    .init(
                        "After your own log in. The token is for your app and its device alone.",
                        "在你自己的登录之后进行。令牌只供你的 App 和该设备使用。"),
                    command: #"""
                        curl -s --json '{"customer":"c-1","device":"'$(openssl rand -hex 24)'"}' "$BILLFOLD_PROVISIONING/provisioning/v1/sessions" \
                          -H "Authorization: Bearer $BILLFOLD_BANK_KEY" > session.json
                        """#),
                .init(
                    .init("List the customer's cards", "列出客户的卡"),
                    .init(
                        "What your app shows, and what the button asks. Pass data are made when the phone asks, never before.",
                        "供 App 展示和按钮判断。卡数据在手机请求时才生成。"),
                    command: #"""
                        curl -s "$BILLFOLD_PROVISIONING/provisioning/v1/cards" -H "Authorization: Bearer $(jq -r .token session.json)"
                        """#),
                .init(
                    .init("Say what happened to a card", "上报卡片事件"),
                    .init(
                        "Lost, stolen, closed, blocked: the tokens of the card follow within seconds.",
                        "挂失、被盗、销卡、冻结：相应令牌在数秒内随之变更。")),
                .init(
                    .init("Hear of tokens and reviews", "接收令牌和审核结果"),
                    .init("Register an address for signed webhooks, or read the feed.", "登记接收签名 webhook 的地址，或读取事件流。")),
            ])
    }
}
