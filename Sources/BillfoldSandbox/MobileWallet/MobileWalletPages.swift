import AlipayPlus
import BillfoldMoney
import BillfoldWeb
import Foundation
import HTTPTypes
import Hummingbird

/// A wallet's app, drawn as pages for a phone.
struct MobileWalletPages: Sendable {
    typealias Person = MobileWalletProfile.Person

    let profile: MobileWalletProfile
    /// The console's origin; nil without one.
    let console: String?

    private var root: String { "/wallets/\(profile.slug)" }

    /// What the frame of the wallet's pages names.
    private struct Framed<Page: Sendable>: Sendable {
        let title: String
        let brand: String
        let root: String
        let customer: String?
        let page: Page
    }

    private func page(
        _ template: String, _ page: some Sendable, title: String, of customer: Person?, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let html = try PageSet.sandbox.render(
            "mobile-wallet/\(template)",
            Framed(title: title, brand: profile.brand, root: root, customer: customer?.name, page: page))
        return SandboxBody.page(html, status: status, contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
    }

    /// - Parameters:
    ///   - next: Where the log-in leads, below the wallet's root.
    ///   - problem: Why it did not work a moment ago.
    func logIn(next: String, problem: String? = nil) throws -> Response {
        try page(
            "login", LogInPage(next: next, people: profile.people, problem: problem), title: "Log in", of: nil,
            status: problem == nil ? .ok : .forbidden)
    }

    private struct LogInPage: Sendable {
        let next: String
        let people: [Person]
        let problem: String?
    }

    /// - Parameter fault: What is to go wrong with the next payment.
    func home(
        of customer: Person, balance: Amount, payments: [MobilePayment], consents: [MobileConsent], fault: MobileWalletFault?,
        problem: String?
    ) throws -> Response {
        let home = HomePage(
            balance: balance, deposit: Amount(minorUnits: customer.balance, currency: profile.currency),
            payments: payments.prefix(20).map { .init(id: $0.id, merchant: $0.merchant, amount: $0.collected, state: words($0)) },
            consents: consents,
            faults: MobileWalletFault.allCases.map { PageChoice(value: $0.rawValue, title: $0.title, isChosen: $0 == fault) },
            showsCodes: profile.scenarios.contains(.paymentCode), scans: profile.scenarios.contains(.orderCode), problem: problem,
            console: console)
        return try page("home", home, title: "Home", of: customer, status: problem == nil ? .ok : .unprocessableContent)
    }

    private struct HomePage: Sendable {
        struct Payment: Sendable {
            let id: String
            let merchant: String
            let amount: Amount
            let state: String
        }

        let balance: Amount
        let deposit: Amount
        let payments: [Payment]
        let consents: [MobileConsent]
        let faults: [PageChoice]
        let showsCodes: Bool
        let scans: Bool
        let problem: String?
        let console: String?
    }

    private func words(_ payment: MobilePayment) -> String {
        switch payment.state {
        case .waiting: "to be confirmed"
        case .confirmed: "being processed"
        case .paid where payment.refunded == payment.owed: "given back"
        case .paid where payment.refunded > 0: "paid, given back in part"
        case .paid: "paid"
        case .refused: payment.failure == "USER_BALANCE_NOT_ENOUGH" ? "not enough money" : "not paid"
        case .cancelled: "cancelled"
        }
    }

    /// A payment to be confirmed, or what became of it. Before Alipay+ has asked the wallet to collect there is only the scan.
    func payment(
        _ payment: MobilePayment?, scan: MobileScan?, of customer: Person, balance: Amount, problem: String? = nil
    ) throws -> Response {
        let (price, payable) = (payment?.price ?? scan?.price, payment?.payable ?? scan?.payable)
        let off = (payment?.promotion ?? 0) + (payment?.offer ?? 0)
        let state = payment?.state
        let redirect = state?.isFinal ?? false ? Self.webAddress(payment?.redirect) : nil
        let values = PaymentPage(
            id: payment?.id ?? scan?.id, merchant: payment?.merchant ?? scan?.merchant, subject: payment?.subject ?? scan?.subject,
            price: price, payable: price?.currency == payable?.currency ? nil : payable,
            off: off > 0 ? payable.map { Amount(minorUnits: off, currency: $0.currency) } : nil, amount: payment?.collected ?? payable,
            balance: balance, state: state?.rawValue ?? "preparing", isPreparing: state == nil, isWaiting: state == .waiting,
            isConfirmed: state == .confirmed, isPaid: state == .paid, isBad: state == .refused || state == .cancelled,
            refreshes: state == nil || state == .confirmed, outcome: payment.map(words), redirect: redirect,
            returns: state == .paid && redirect != nil, problem: problem)
        let title = state == .waiting || state == nil ? "Confirm the payment" : "Payment"
        return try page("payment", values, title: title, of: customer, status: problem == nil ? .ok : .conflict)
    }

    private struct PaymentPage: Sendable {
        let id: String?
        let merchant: String?
        let subject: String?
        let price: Amount?
        /// The price in the wallet's currency; nil where that is the price's.
        let payable: Amount?
        let off: Amount?
        let amount: Amount?
        let balance: Amount
        let state: String
        let isPreparing: Bool
        let isWaiting: Bool
        let isConfirmed: Bool
        let isPaid: Bool
        let isBad: Bool
        let refreshes: Bool
        let outcome: String?
        let redirect: String?
        let returns: Bool
        let problem: String?
    }

    /// Only a web address is linked to; an app's own scheme is for phones that have the app.
    private static func webAddress(_ text: String?) -> String? {
        guard let text, text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
        return text
    }

    func code(_ code: WirePaymentCode, of customer: Person) throws -> Response {
        let digits = Array(code.paymentCode)
        let groups = stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
        return try page("code", CodePage(code: code, groups: groups), title: "My code", of: customer)
    }

    private struct CodePage: Sendable {
        let code: WirePaymentCode
        let groups: [String]
    }

    func consent(_ consent: MobileConsent, of customer: Person) throws -> Response {
        try page("consent", ConsentPage(consent: consent, isAsked: consent.state == .asked), title: "Allow debits", of: customer)
    }

    private struct ConsentPage: Sendable {
        let consent: MobileConsent
        let isAsked: Bool
    }

    func problem(_ refusal: SandboxRefusal, customer: Person?) throws -> Response {
        try page("problem", refusal, title: "This did not work", of: customer, status: .init(code: refusal.status))
    }

    /// The wallets of one listener.
    static func index(_ profiles: [MobileWalletProfile], console: String?) throws -> Response {
        let frame = PageFrame(
            links: [.init("Wallets", path: "/wallets/")] + (console.map { [.init("Console", path: $0 + "/")] } ?? []), mode: "test")
        let wallets = profiles.map {
            let minimum = Amount(minorUnits: $0.minimum, currency: $0.currency).text
            let maximum = Amount(minorUnits: $0.maximum, currency: $0.currency)
            return IndexPage.Wallet(
                slug: $0.slug, brand: $0.brand, region: $0.region, currency: $0.currency, limits: "\(minimum) to \(maximum)")
        }
        let html = try frame.render(
            "mobile-wallet/index", of: .sandbox, title: "Wallets", path: "/wallets/", styles: ["mobile-wallet/mobile-wallet.css"],
            IndexPage(wallets: wallets))
        return SandboxBody.page(html, contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
    }

    private struct IndexPage: Sendable {
        struct Wallet: Sendable {
            let slug: String
            let brand: String
            let region: String
            let currency: Currency
            let limits: String
        }

        let wallets: [Wallet]
    }
}
