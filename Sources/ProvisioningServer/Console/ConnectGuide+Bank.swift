package import BillfoldDiagnosis
package import BillfoldWeb

extension ConnectGuide {
    /// A bank's own back end at its issuer's host.
    ///
    /// - Parameters:
    ///   - host: The origin of this server.
    ///   - key: The bank's.
    ///   - broker: The origin of the played wallet broker.
    ///   - app: The played bank's app, where a customer adds a card.
    package static func bank(host: String, key: Secret<String>, broker: String, app: String) -> Self {
        Self(
            slug: "bank",
            title: .init("A bank that puts cards into a wallet", "把卡加入钱包的银行"),
            summary: .init(
                "Your back end opens sessions for its customers and tells of its cards. Wallet, broker, network and processor are played.",
                "由你的后台为客户建立会话并上报卡片状态；钱包、中介、卡组织和发卡处理方由沙箱扮演。"),
            values: [
                .init("BILLFOLD_PROVISIONING", host, meaning: .init("The issuer's host", "发卡行主机地址")),
                .init(
                    "BILLFOLD_BANK_API", host + "/bank/v1",
                    meaning: .init("What your own systems call there: cards, events, tokens", "你的系统在该主机上调用的接口：卡片、事件、令牌")),
                .init("BILLFOLD_BANK_KEY", key.reveal(), meaning: .init("The bank's key, sent as a bearer", "银行密钥，以 Bearer 发送")),
                .init("BILLFOLD_BROKER", broker + "/broker/v4", meaning: .init("The wallet's broker, which a phone calls", "手机调用的钱包中介地址")),
                .init(
                    "BILLFOLD_BANK_APP", app, meaning: .init("The played bank's app, in which a customer adds a card", "模拟的银行 App，顾客在其中加卡")),
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
                        "Lost, stolen, closed, blocked: the tokens of the card follow within seconds. The same eventId twice is one event.",
                        "挂失、被盗、销卡、冻结：相应令牌在数秒内随之变更。同一 eventId 只算一次。"),
                    command: #"""
                        for kind in blocked unblocked; do
                          curl -s --json '{"eventId":"'$(openssl rand -hex 16)'","card":"visa-1","kind":"'$kind'","occurredAt":'$(date +%s%3N)'}' \
                            "$BILLFOLD_PROVISIONING/bank/v1/card-events" -H "Authorization: Bearer $BILLFOLD_BANK_KEY"
                        done
                        """#),
                .init(
                    .init("Look at tokens", "查询令牌"),
                    .init(
                        "By card, customer, wallet and state, page by page. There are some once a customer added a card in the bank's app.",
                        "按卡、客户、钱包和状态分页查询。顾客在银行 App 中加卡之后才有令牌。"),
                    command: #"curl -s "$BILLFOLD_PROVISIONING/bank/v1/tokens?card=visa-1" -H "Authorization: Bearer $BILLFOLD_BANK_KEY""#),
                .init(
                    .init("Hear of tokens and reviews", "接收令牌和审核结果"),
                    .init(
                        "Register an address for signed webhooks; the answer has the secret to verify them with, once. Or read the feed.",
                        "登记接收签名 webhook 的地址，应答中有验签密钥，只显示一次；或读取事件流。"),
                    command: #"""
                        curl -s --json '{"url":"http://127.0.0.1:3000/hook"}' "$BILLFOLD_PROVISIONING/provisioning/v1/webhook-endpoints" \
                          -H "Authorization: Bearer $BILLFOLD_BANK_KEY" > endpoint.json
                        curl -s "$BILLFOLD_PROVISIONING/provisioning/v1/events" -H "Authorization: Bearer $BILLFOLD_BANK_KEY"
                        """#),
                ownSealing, asProgram,
            ])
    }

    private static var asProgram: Step {
        .init(
            .init("See it as a program", "参考完整程序"),
            .init(
                "A session, a blocked card and its tokens in Python; the same stands beside it for Node.",
                "用 Python 建立会话、冻结卡片并查看令牌；旁边有 Node 版本。"),
            command: "python3 Examples/BackEnds/issuer/python/issuer.py")
    }

    /// For whoever seals with code of their own.
    private static var ownSealing: Step {
        .init(
            .init("Open what you sealed yourself", "打开你自己加密的数据"),
            .init(
                "The key of the played wallet's leaf, for billfold doctor and billfold provisioning open, and its root.",
                "若由你自己的代码加密：这是模拟钱包叶证书的私钥，供 billfold doctor 和 billfold provisioning open 使用；另有其根证书。"),
            command: #"""
                curl -s "${BILLFOLD_BROKER%/v4}/control/leaf-keys/EV_ECC_v2" > broker-leaf.key
                curl -s "${BILLFOLD_BROKER%/v4}/control/root" > broker-root.pem
                """#)
    }
}
