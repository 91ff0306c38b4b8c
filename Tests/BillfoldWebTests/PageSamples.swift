import AlipayPlusServer
import AlipayServer
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldSandbox
import BillfoldTrace
import BillfoldWeb
import CardPaymentsServer
import ProvisioningServer
import WalletServer

/// Every page, made two ways: with one value in every field that a stranger could fill, and as it looks on an ordinary day.
enum PageSamples {
    static let names = [
        "home", "journey", "stories", "story", "order", "doctor", "connect", "connect-guide", "connect-guide-zh", "sign-in", "approvals",
        "audit", "alarms", "webhooks", "webhook-owner", "webhook-event", "problem",
        "journey-provisioning", "provisioning", "provisioning-card", "gateway", "gateway-trade", "gateway-books",
        "acquiring", "acquiring-payment",
        "mini-programs", "mini-program", "super-app", "super-app-back", "refund-batch", "refund-batch-taken", "refund-problem",
    ]

    static func hostile(_ name: String, _ value: String) async throws -> String {
        let frame = PageFrame(links: [.init(value, path: value)], mode: value, operatorName: value, csrfToken: value)
        let summary = StorySummary(
            id: value, name: value, messageCount: 1, problemCount: 1, startedAt: 0, titles: [value],
            casePath: Journey.CasePage(id: "order", path: "/orders").path(of: value))
        switch name {
        case "home":
            return try HomePage(
                journeys: .five, frame: frame, stories: [summary], starts: [.init(journey: value, address: value, invitation: value)]
            ).html()
        case "journey":
            let page = JourneyPage(
                .acceptApplePay, frame: frame, startAddress: value, stories: [summary],
                faultPlans: [FaultPlanForm(menu(all: value), scope: .next, chosen: [value])])
            return try page.html()
        case "stories": return try StoriesPage(frame: frame, stories: [summary]).html()
        case "story", "order":
            var page = StoryPage(journeys: .five, frame: frame, id: value, name: value, messages: messages(all: value), eventsPath: value)
            page.faultPlans = [FaultPlanForm(menu(all: value), scope: .order(value), chosen: [value])]
            if name == "order" {
                page.subject = order(all: value).subject(offersRefunds: true)
                page.pages = .cardPayments
            }
            return try page.html()
        case "doctor": return try DoctorPage(frame: frame, diagnosis: diagnosis(all: value)).html()
        case "connect": return try ConnectPage(frame: frame, [guide(all: value)]).html()
        case "connect-guide", "connect-guide-zh":
            return try ConnectGuidePage(
                frame: frame, guide(all: value), in: name.hasSuffix("zh") ? .chinese : .english
            ).html()
        case "sign-in": return try SignInPage(frame: frame, next: value).html()
        case "approvals":
            let request = ApprovalsPage.Request(
                id: value, kind: value, subject: value, detail: value, lines: [.init(label: value, value: value)], requestedBy: value,
                requestedAt: 0, state: value, decidedBy: value,
                outcome: value, mayDecide: true)
            return try ApprovalsPage(frame: frame, requests: [request], onePersonSuffices: true).html()
        case "audit":
            let action = AuditPage.Action(sequence: 1, at: 0, actor: value, action: value, object: value, result: value)
            return try AuditPage(
                frame: frame, owners: [value], owner: value, chain: value, actions: [action], brokenRow: 1,
                chains: [.init(name: value, rowCount: 1, lastAt: 0)], next: value
            ).html()
        case "alarms": return try await alarms(frame, all: value)
        case "webhooks", "webhook-owner", "webhook-event": return try webhooks(name, frame, all: value)
        case "journey-provisioning":
            return try JourneyPage(.provisionCard, frame: frame, startAddress: value, stories: [summary]).html()
        case "provisioning":
            return try ProvisioningPage(frame: frame, overview: overview(all: value), offersActions: true, offersReviews: true).html()
        case "provisioning-card":
            return try ProvisioningCardPage(frame: frame, view: cardView(all: value), offersActions: true, offersReviews: true).html()
        case "super-app": return try superApp(frame, session: value, console: "http://\(value)")
        case "super-app-back": return try frame.render("super-app/back", of: .sandbox, title: value, ["isTaken": false])
        case "gateway": return try OrderGatewayPage(frame: frame, overview: gatewayOverview(all: value), offersReplay: true).html()
        case "gateway-trade": return try OrderGatewayTradePage(frame: frame, view: gatewayTrade(all: value), offersReplay: true).html()
        case "refund-batch", "refund-batch-taken": return try refundBatch(name, all: value)
        case "refund-problem": return try RefundProblemPage(code: value, verifiedText: value).html()
        case "acquiring":
            return try AcquiringPage(
                frame: frame, overview: acquiringOverview(all: value), offersReplay: true, offersRequests: true
            ).html()
        case "acquiring-payment":
            return try AcquiringPaymentPage(frame: frame, view: acquiringPayment(all: value), offersReplay: true).html()
        case "gateway-books": return try OrderGatewayBooksPage(frame: frame, books: gatewayBooks(all: value)).html()
        case "mini-programs": return try MiniProgramsPage(frame: frame, shelf: shelf(all: value)).html()
        case "mini-program":
            return try [true, false].map { isOpen in
                try MiniProgramPage(frame: frame, view: miniProgram(all: value, isOpen: isOpen), offersSteps: true).html()
            }.joined()
        default: return try ProblemPage(frame: frame, status: 500, code: value, reason: value).html()
        }
    }

    private static func menu(all value: String) -> FaultMenu {
        FaultMenu(
            party: value, path: value, control: value, choices: [.init(value, title: value, effect: value, plan: value)], delayKey: value)
    }

    private static func messages(all value: String) -> [TraceEntry] {
        TraceEntry.Kind.allCases.map { kind in
            TraceEntry(
                id: value, at: 0, from: Party(rawValue: value), to: kind == .note ? Party(rawValue: value) : "merchant", kind: kind,
                title: value,
                correlation: [value: value],
                fields: [.init(value, value, meaning: value)], bytes: value, problem: value)
        }
    }

    private static func order(all value: String) -> OrderSheet {
        let amount = Amount(minorUnits: 3300, currency: .cny)
        return OrderSheet(
            id: value, reference: value, state: value, goods: value, merchantName: value, total: amount, expiresAt: 0,
            owner: WebhookOwner(office: value, id: value, what: value, space: .init(name: value, now: 1_000_000, everybodys: 0)),
            items: [.init(label: value, amount: amount)],
            payments: [.init(id: value, state: value, amount: amount, account: value, startedAt: 0, evidence: value, refundable: amount)],
            refunds: [.init(id: value, paymentID: value, state: value, amount: amount, reason: value)],
            postings: [.init(account: value, side: .debit, amount: amount, occasion: value)])
    }

    private static func diagnosis(all value: String) -> Diagnosis {
        Diagnosis(
            identified: [.init(artifact: value, kind: value, summary: value, unjudged: .init(value, need: value))],
            findings: [Finding(code: value, subject: value, cause: value, evidence: [.init(value, value)], mend: value)])
    }
}
