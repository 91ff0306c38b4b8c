import AlipayPlus
import BillfoldMoney
import BillfoldWeb
import Foundation
import HTTPTypes
import Hummingbird

/// A wallet's app, drawn as pages for a phone.
struct MobileWalletPages: Sendable {
    let profile: MobileWalletProfile
    /// The console's origin; nil without one.
    let console: String?

    private var root: String { "/wallets/\(profile.slug)" }

    private func page(
        _ template: String, _ title: String, _ customer: MobileWalletProfile.Person?, status: HTTPResponse.Status = .ok,
        _ content: [String: Any]
    ) throws -> Response {
        var model = content
        model["title"] = title
        model["brand"] = profile.brand
        model["root"] = root
        model["customer"] = customer?.name
        let html = try PageSet.sandbox.render("mobile-wallet/\(template)", model)
        return SandboxBody.page(html, status: status, contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
    }

    /// - Parameters:
    ///   - next: Where the log-in leads, below the wallet's root.
    ///   - problem: Why it did not work a moment ago.
    func logIn(next: String, problem: String? = nil) throws -> Response {
        var model: [String: Any] = ["next": next, "people": profile.people.map { ["id": $0.id, "name": $0.name, "pin": $0.pin] }]
        model["problem"] = problem
        return try page("login", "Log in", nil, status: problem == nil ? .ok : .forbidden, model)
    }

    /// What the home page shows.
    struct Home: Sendable {
        var customer: MobileWalletProfile.Person
        var balance: Amount
        var payments: [MobilePayment]
        var consents: [MobileConsent]
        /// What is to go wrong with the next payment.
        var fault: MobileWalletFault?
        var problem: String?
    }

    func home(_ home: Home) throws -> Response {
        var model: [String: Any] = [
            "balance": home.balance.description, "payments": home.payments.prefix(20).map(line), "hasPayments": !home.payments.isEmpty,
            "consents": home.consents.map { ["id": $0.id, "name": $0.clientName] as [String: Any] },
            "hasConsents": !home.consents.isEmpty,
            "deposit": Amount(minorUnits: home.customer.balance, currency: profile.currency).description,
            "showsCodes": profile.scenarios.contains(.paymentCode),
            "scans": profile.scenarios.contains(.orderCode),
            "faults": MobileWalletFault.allCases.map {
                ["value": $0.rawValue, "title": $0.title, "isChosen": $0 == home.fault] as [String: Any]
            },
        ]
        model["problem"] = home.problem
        model["console"] = console.map { "\($0)/" }
        return try page("home", "Home", home.customer, status: home.problem == nil ? .ok : .unprocessableContent, model)
    }

    private func line(_ payment: MobilePayment) -> [String: Any] {
        [
            "path": "\(root)/payments/\(payment.id)", "merchant": payment.merchant, "amount": payment.collected.description,
            "state": words(payment),
        ]
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
        _ payment: MobilePayment?, scan: MobileScan?, of customer: MobileWalletProfile.Person, balance: Amount, problem: String? = nil
    ) throws -> Response {
        var model: [String: Any] = ["id": payment?.id ?? scan?.id ?? ""]
        let (price, payable) = (payment?.price ?? scan?.price, payment?.payable ?? scan?.payable)
        model["merchant"] = payment?.merchant ?? scan?.merchant
        model["subject"] = payment?.subject ?? scan?.subject
        model["price"] = price?.description
        if let price, let payable, price.currency != payable.currency { model["payable"] = payable.description }
        let off = (payment?.promotion ?? 0) + (payment?.offer ?? 0)
        if off > 0, let payable { model["off"] = Amount(minorUnits: off, currency: payable.currency).description }
        model["amount"] = payment?.collected.description ?? payable?.description
        model["balance"] = balance.description
        model["problem"] = problem
        let state = payment?.state
        model["state"] = state?.rawValue ?? "preparing"
        model["isPreparing"] = state == nil
        model["isWaiting"] = state == .waiting
        model["isConfirmed"] = state == .confirmed
        model["isPaid"] = state == .paid
        model["isBad"] = state == .refused || state == .cancelled
        model["refreshes"] = state == nil || state == .confirmed
        model["outcome"] = payment.map(words)
        if state?.isFinal ?? false { model["redirect"] = Self.webAddress(payment?.redirect) }
        model["returns"] = state == .paid && model["redirect"] != nil
        let title = state == .waiting || state == nil ? "Confirm the payment" : "Payment"
        return try page("payment", title, customer, status: problem == nil ? .ok : .conflict, model)
    }

    /// Only a web address is linked to; an app's own scheme is for phones that have the app.
    private static func webAddress(_ text: String?) -> String? {
        guard let text, text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
        return text
    }

    func code(_ code: WirePaymentCode, of customer: MobileWalletProfile.Person) throws -> Response {
        let digits = Array(code.paymentCode)
        let groups = stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
        return try page(
            "code", "My code", customer, ["code": code.paymentCode, "groups": groups, "expires": code.expireTime?.description ?? ""])
    }

    func consent(_ consent: MobileConsent, of customer: MobileWalletProfile.Person) throws -> Response {
        try page(
            "consent", "Allow debits", customer,
            ["id": consent.id, "name": consent.clientName, "isAsked": consent.state == .asked, "redirect": consent.redirect])
    }

    func problem(_ refusal: SandboxRefusal, customer: MobileWalletProfile.Person?) throws -> Response {
        try page("problem", "This did not work", customer, status: .init(code: refusal.status), ["reason": refusal.reason])
    }

    /// The wallets of one listener.
    static func index(_ profiles: [MobileWalletProfile], console: String?) throws -> Response {
        let frame = PageFrame(
            links: [.init("Wallets", path: "/wallets/")] + (console.map { [.init("Console", path: $0 + "/")] } ?? []), mode: "test")
        let html = try frame.render(
            "mobile-wallet/index", of: .sandbox, title: "Wallets", path: "/wallets/", styles: ["mobile-wallet/mobile-wallet.css"],
            [
                "wallets": profiles.map {
                    [
                        "path": "/wallets/\($0.slug)/", "brand": $0.brand, "region": $0.region, "currency": $0.currency.alphabeticCode,
                        "limits":
                            "\(Amount(minorUnits: $0.minimum, currency: $0.currency).text) to \(Amount(minorUnits: $0.maximum, currency: $0.currency))",
                    ] as [String: Any]
                }
            ])
        return SandboxBody.page(html, contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
    }
}
