import AlipayPlusServer
import AlipayServer
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldSandbox
import BillfoldTrace
import BillfoldWeb
import CardPaymentsServer
import Foundation
import ProvisioningServer
import WalletServer

extension PageSamples {
    static let start: Int64 = 1_767_600_612_345_000
    static let frame = PageFrame(
        links: PageFrame.consoleLinks + [
            PageFrame.Link("Cards", path: "/provisioning"), PageFrame.webhooksLink, PageFrame.alarmsLink, PageFrame.approvalsLink,
            PageFrame.auditLink,
            PageFrame.doctorLink,
        ], mode: "test")

    static func ordinary(_ name: String) async throws -> String {
        let shop = "http://127.0.0.1:8082/shop/"
        let bank = "http://127.0.0.1:8082/bank/"
        let starts = [
            JourneyStart(journey: "apple-pay-unionpay", address: shop, invitation: "Open the shop"),
            JourneyStart(journey: "provision-card", address: bank, invitation: "Open the bank’s app"),
        ]
        switch name {
        case "home": return try HomePage(journeys: .five, frame: frame, stories: summaries, starts: starts).html()
        case "journey":
            return try JourneyPage(
                .acceptApplePay, frame: frame, startAddress: shop, stories: summaries,
                faultPlans: [FaultPlanForm(.unionPay, scope: .next), FaultPlanForm(.orders(of: .acceptApplePay), scope: .next)]
            ).html()
        case "stories": return try StoriesPage(frame: frame, stories: summaries).html()
        case "story":
            return try StoryPage(journeys: .five, frame: frame, id: "s-1", name: "order 1002", messages: Array(messages.prefix(4))).html()
        case "order":
            let plan = FaultPlanForm(.unionPay, scope: .order("0198c2a4f0d17c3eb1a2c3d4e5f60718"), chosen: ["reply-lost"])
            return try StoryPage(
                journeys: .five,
                frame: frame, id: "s-1", name: "1001", messages: messages, eventsPath: "/api/stories/s-1/events?after=12",
                subject: order.subject(offersRefunds: true), faultPlans: [plan], pages: .cardPayments
            ).html()
        case "doctor": return try DoctorPage(frame: frame, diagnosis: diagnosis).html()
        case "connect": return try ConnectPage(frame: frame, [merchantGuide, bankGuide]).html()
        case "connect-guide": return try ConnectGuidePage(frame: frame, merchantGuide).html()
        case "connect-guide-zh": return try ConnectGuidePage(frame: frame, bankGuide, in: .chinese).html()
        case "sign-in": return try SignInPage().html()
        case "approvals":
            return try ApprovalsPage(
                frame: PageFrame(mode: "production", operatorName: "Lin", csrfToken: "token"),
                requests: [
                    .init(
                        id: "0198c2a4", kind: "refund", subject: "payment 0198c2a4f0d1",
                        detail: #"{"amount":"12.00","currency":"CNY","reason":"damaged"}"#,
                        requestedBy: "Chen", requestedAt: start, state: "waiting", mayDecide: true),
                    .init(
                        id: "0198c2a5", kind: "key.retire", subject: "processing key 2024", detail: #"{"publicKeyHash":"9f86d081"}"#,
                        requestedBy: "Lin",
                        requestedAt: start, state: "done", decidedBy: "Chen", outcome: "retired"),
                ]
            ).html()
        case "audit":
            return try AuditPage(
                frame: frame, owners: ["installation", "two-leaves"], owner: "two-leaves", chain: "operators",
                actions: (1...6).reversed().map {
                    .init(
                        sequence: $0, at: start + $0 * 61_000_000, actor: "Lin", action: "approval.request", object: "refund 0198c2a\($0)",
                        result: "done")
                },
                chains: [
                    .init(name: "payment:0198c2a4f0d27c3eb1a2c3d4e5f60719", rowCount: 4, lastAt: start, brokenRow: 3),
                    .init(name: "operators", rowCount: 6, lastAt: start + 366_000_000),
                ], next: "operators"
            ).html()
        case "super-app-back":
            return try frame.render("super-app/back", of: .sandbox, title: "Back in the super app", ["isTaken": true])
        case "super-app": return try superApp(frame, session: "0198c2a4f0d1", console: "http://127.0.0.1:8081")
        case "gateway": return try OrderGatewayPage(frame: frame, overview: gatewayOverview(all: "TL-1"), offersReplay: true).html()
        case "gateway-trade": return try OrderGatewayTradePage(frame: frame, view: gatewayTrade(all: "TL-1"), offersReplay: true).html()
        case "refund-batch", "refund-batch-taken": return try refundBatch(name, all: "TL-1")
        case "refund-problem": return try RefundProblemPage(code: "ILLEGAL_SIGN", verifiedText: "batch_no=1&batch_num=1").html()
        case "acquiring":
            return try AcquiringPage(
                frame: frame, overview: acquiringOverview(all: "TL-1"), offersReplay: true, offersRequests: true
            ).html()
        case "acquiring-payment":
            return try AcquiringPaymentPage(frame: frame, view: acquiringPayment(all: "TL-1"), offersReplay: true).html()
        case "gateway-books": return try OrderGatewayBooksPage(frame: frame, books: gatewayBooks(all: "TL-1")).html()
        case "mini-programs": return try MiniProgramsPage(frame: frame, shelf: ordinaryShelf).html()
        case "mini-program": return try MiniProgramPage(frame: frame, view: ordinaryMiniProgram, offersSteps: true).html()
        case "alarms": return try await ordinaryAlarms()
        case "webhooks", "webhook-owner", "webhook-event": return try ordinaryWebhooks(name)
        case "journey-provisioning":
            return try JourneyPage(.provisionCard, frame: frame, startAddress: bank, stories: summaries).html()
        case "provisioning":
            return try ProvisioningPage(frame: frame, overview: overview, offersActions: true, offersReviews: true).html()
        case "provisioning-card":
            return try ProvisioningCardPage(frame: frame, view: cardView, offersActions: true, offersReviews: true).html()
        default: return try ProblemPage(frame: frame, status: 404, code: "not-found", reason: "No story has that id").html()
        }
    }

    static let summaries = [
        StorySummary(
            id: "s-3", name: "order 1003", messageCount: 3, problemCount: 0, startedAt: start + 90_000_000,
            titles: ["POST /v1/orders", "201 order"]),
        StorySummary(
            id: "s-2", name: "order 1002", messageCount: 17, problemCount: 2, startedAt: start + 40_000_000,
            titles: ["POST /v1/orders", "201 order", "quote"]),
        StorySummary(
            id: "s-1", name: "order 1001", messageCount: 14, problemCount: 0, startedAt: start,
            titles: ["POST /v1/orders", "201 order", "quote"]),
    ]

    static let order: OrderSheet = {
        func yuan(_ minorUnits: Int64) -> Amount { Amount(minorUnits: minorUnits, currency: .cny) }
        return OrderSheet(
            id: "0198c2a4f0d17c3eb1a2c3d4e5f60718", reference: "1001", state: "succeeded", goods: "delivered", merchantName: "Paper & Ink",
            total: yuan(7546), expiresAt: start + 1_800_000_000,
            owner: WebhookOwner(
                office: "merchants", id: "own-20261130", what: "Merchant",
                space: .init(name: "own-20261130", now: start + 1_860_000_000, everybodys: start)),
            items: [
                .init(label: "Notebook, three", amount: yuan(5970)), .init(label: "Tax", amount: yuan(776)),
                .init(label: "Delivery to the door", amount: yuan(1000)),
                .init(label: "Coupon WELCOME", amount: yuan(-200)),
            ],
            payments: [
                .init(
                    id: "0198c2a4f0d1", state: "failed", amount: yuan(7546), account: "UnionPay 622500••••••1234", startedAt: start,
                    evidence: "61, card is invalid"),
                .init(
                    id: "0198c2a4f0d2", state: "succeeded", amount: yuan(7546), account: "UnionPay 622500••••••0018",
                    startedAt: start + 30_000_000,
                    evidence: "Signed notification, query id 201601051600123456789", refundable: yuan(6346)),
            ],
            refunds: [
                .init(
                    id: "0198c2a4f0d3", paymentID: "0198c2a4f0d2", state: "refunding", amount: yuan(1200),
                    reason: "One notebook was damaged")
            ],
            postings: [
                .init(account: "UnionPay receivable", side: .debit, amount: yuan(7546), occasion: "payment"),
                .init(account: "Sales", side: .credit, amount: yuan(6770), occasion: "payment"),
                .init(account: "Tax payable", side: .credit, amount: yuan(776), occasion: "payment"),
                .init(account: "Sales", side: .debit, amount: yuan(1200), occasion: "refund"),
                .init(account: "Refunds payable", side: .credit, amount: yuan(1200), occasion: "refund"),
            ])
    }()

    static let messages: [TraceEntry] = {
        func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        let ids = ["order": "0198c2a4f0d17c3eb1a2c3d4e5f60718", "unionpay.order": "20260105160012345678"]
        let rows: [(Party, Party, TraceEntry.Kind, String, [TraceEntry.Field], String?, String?)] = [
            (
                "shop", "merchant", .request, "POST /v1/orders",
                [.init("reference", "1001"), .init("goods", "delivered", meaning: "Asks for address, phone and e-mail.")],
                base64(#"{"reference":"1001","goods":"delivered"}"#), nil
            ),
            (
                "merchant", "shop", .response, "201 order",
                [
                    .init("total", "75.46", meaning: "Every line was rounded, then the lines were added."),
                    .init("applicationData", "‹base64, 32 bytes›"),
                ], nil, nil
            ),
            ("shop", "phone", .request, "PKPaymentRequest", [.init("supportedNetworks", "chinaUnionPay")], nil, nil),
            ("phone", "merchant", .request, "quote", [.init("shippingContact", "Shanghai, 200000, CN")], nil, nil),
            ("merchant", "phone", .response, "items and total", [.init("total", "75.46")], nil, nil),
            ("phone", "wallet", .request, "provision session keys", [], nil, nil),
            ("wallet", "phone", .response, "certificate chain", [], Data((0..<72).map { UInt8($0 * 3 % 251) }).base64EncodedString(), nil),
            (
                "phone", "merchant", .request, "payment token",
                [
                    .init("version", "RSA_v1"),
                    .init(
                        "publicKeyHash", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                        meaning: "Chooses the key of the ring."), .init("transactionId", "31e9a2…"),
                ], base64(#"{"data":"…","header":{"publicKeyHash":"…"},"signature":"…","version":"RSA_v1"}"#), nil
            ),
            ("merchant", "merchant", .note, "checks and opens the token", [.init("dpan", "622500••••••0018")], nil, nil),
            (
                "merchant", "unionpay", .request, "consume",
                [
                    .init("merId", "777290058110048"),
                    .init("orderId", "20260105160012345678", meaning: "With merId and txnTime, the payment’s identity."),
                    .init("txnAmt", "7546", meaning: "Minor units, from the order."), .init("accNo", "622500••••••0018"),
                ],
                base64(
                    "accessType=0&bizType=000802&certId=68759585097&channelType=08&currencyCode=156&encoding=UTF-8&merId=777290058110048&orderId=20260105160012345678&signMethod=01&txnAmt=7546"
                ), nil
            ),
            (
                "unionpay", "merchant", .response, "respCode 00",
                [.init("respCode", "00", meaning: "Accepted. Not yet paid."), .init("respMsg", "成功[0000000]")], nil, nil
            ),
            (
                "unionpay", "merchant", .notification, "notification", [.init("queryId", "201601051600123456789")], nil,
                "The signature does not verify: one byte was flipped by the fault plan."
            ),
            ("unionpay", "merchant", .notification, "notification", [.init("queryId", "201601051600123456789")], nil, nil),
            ("merchant", "phone", .response, "succeeded", [.init("sheet", "success")], nil, nil),
        ]
        return rows.enumerated().map { index, row in
            TraceEntry(
                id: "m\(index)", at: start + Int64(index * index) * 23_400, from: row.0, to: row.1, kind: row.2, title: row.3,
                correlation: ids, fields: row.4,
                bytes: row.5, problem: row.6)
        }
    }()

    static let diagnosis = Diagnosis(
        identified: [
            .init(artifact: "token.json", kind: "apple-pay.token", summary: "Apple Pay token, RSA_v1, made 2026-01-05 08:10 UTC"),
            .init(artifact: "processing.pem", kind: "certificate", summary: "Payment processing certificate, RSA 2048, ends 2027-02-01"),
        ],
        findings: [
            Finding(
                code: "apple-pay.oaep-hash", subject: "token.json", cause: "The key was unwrapped with SHA-1 in OAEP.",
                evidence: [
                    .init("unwraps with", "SHA-256, MGF1 SHA-256"),
                    .init("publicKeyHash", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
                ],
                mend: "Set both hashes of OAEP, for the label and for MGF1, to SHA-256."),
            Finding(
                code: "certificate.ends-soon", severity: .warning, subject: "processing.pem", cause: "It ends in nineteen days.",
                mend: "Make a new one and hold both keys."),
        ])
}
