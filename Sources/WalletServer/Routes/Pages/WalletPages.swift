import BillfoldMoney
import BillfoldServer
import BillfoldStorage
import BillfoldWeb

/// Draws the wallet's pages and the cashier's. Whoever they are drawn for is told in words; nothing needs a script.
struct WalletPages: Sendable {
    let configuration: WalletConfiguration

    /// Whom a page is for, and where it is.
    struct Reader: Sendable {
        var texts: WalletTexts
        /// The path of the page, to which the language switch leads back.
        var path: String
        /// The token of the page's forms.
        var csrf: String
    }

    /// What `wallet-frame.mustache` names, around the values of a page.
    private struct Framed<Page: Sendable>: Sendable {
        struct Language {
            var name: String
            var code: String
            var isCurrent: Bool
            var path: String
        }

        var t: [String: String]
        var language: String
        var title: String
        var csrf: String
        var isTest: Bool
        var languages: [Language]
        var page: Page
    }

    func draw<Page: Sendable>(_ template: String, title: String, for reader: Reader, page: Page) throws -> String {
        let model = Framed(
            t: reader.texts.model, language: reader.texts.language.rawValue, title: title, csrf: reader.csrf,
            isTest: configuration.mode == .test,
            languages: WalletLanguage.allCases.map {
                .init(
                    name: $0.name, code: $0.rawValue, isCurrent: $0 == reader.texts.language,
                    path: "/wallet/language?to=\($0.rawValue)&next=\(reader.path)")
            }, page: page)
        return try PageSet.wallet.render("wallet/\(template)", model)
    }

    // MARK: The cashier

    private struct CheckoutPage {
        var token: String
        var payee: String
        var subject: String
        var body: String?
        var payable: String
        var price: String?
        var rate: String?
        var problem: String?
        // The order.
        var payingAs: String?
        // The means.
        var available: String?
        var isEnough = false
        // The password.
        var amount: String?
        var payButton: String?
        // What came of it.
        var text: String?
        var status: String?
        var memo: String?
        var result: String?
        var isPaid = false
        var isBad = false
        var isApp = false
        var wayBack: String?
        var backLabel: String?
    }

    private func summary(_ checkout: Checkout, _ token: String) -> CheckoutPage {
        let order = checkout.order
        let isConverted = order.price.currency != order.payable.currency
        return CheckoutPage(
            token: token, payee: order.payee, subject: order.subject, body: order.body.flatMap { $0.isEmpty ? nil : $0 },
            payable: checkout.payable.description, price: isConverted ? order.price.description : nil,
            rate: isConverted ? order.rate : nil)
    }

    func order(_ checkout: Checkout, token: String, customer: WalletAccount?, _ reader: Reader) throws -> String {
        var model = summary(checkout, token)
        model.payingAs = customer.map { reader.texts(.payingAs, ["name": "\($0.name) (\($0.maskedLogin))"]) }
        return try draw("order", title: reader.texts[.orderTitle], for: reader, page: model)
    }

    /// - Parameters:
    ///   - token: The checkout's; `nil` for the login to the wallet itself.
    ///   - action: Where the form goes instead.
    func login(token: String?, name: String = "", problem: String? = nil, action: String? = nil, _ reader: Reader) throws -> String {
        let page = LoginPage(
            action: action ?? token.map { "/cashier/\($0)/login" } ?? "/wallet/login", name: name, token: token, problem: problem,
            demo: configuration.demoCustomers)
        return try draw("login", title: reader.texts[.loginTitle], for: reader, page: page)
    }

    private struct LoginPage {
        var action: String
        var name: String
        var token: String?
        var problem: String?
        var demo: [DemoCustomer]
    }

    func means(_ checkout: Checkout, token: String, balance: Balance, problem: String? = nil, _ reader: Reader) throws -> String {
        let isEnough = balance.available.minorUnits >= checkout.payable.minorUnits
        var model = summary(checkout, token)
        model.available = reader.texts(.availableAmount, ["amount": balance.available.description])
        model.isEnough = isEnough
        model.problem = problem ?? (isEnough ? nil : reader.texts[.balanceTooSmall])
        return try draw("means", title: reader.texts[.meansTitle], for: reader, page: model)
    }

    func password(_ checkout: Checkout, token: String, problem: String? = nil, _ reader: Reader) throws -> String {
        var model = summary(checkout, token)
        model.amount = checkout.payable.text
        model.payButton = reader.texts(.payButton, ["amount": checkout.payable.description])
        model.problem = problem
        return try draw("password", title: reader.texts[.passwordTitle], for: reader, page: model)
    }

    private func wayBack(_ checkout: Checkout, after result: ClientResult, _ reader: Reader) -> (path: String?, label: String?) {
        let back = WayBack(openers: configuration.openers)
            .address(scheme: checkout.scheme, returnURL: checkout.order.returnURL, result)
        return (back, reader.texts(.backToMerchant, ["payee": checkout.order.payee]))
    }

    func processing(_ checkout: Checkout, token: String, _ reader: Reader) throws -> String {
        var model = summary(checkout, token)
        (model.wayBack, model.backLabel) = wayBack(checkout, after: .processing(reader.texts), reader)
        return try draw("processing", title: reader.texts[.processingTitle], for: reader, page: model)
    }

    func result(_ checkout: Checkout, token: String, result: ClientResult, _ reader: Reader) throws -> String {
        let texts = reader.texts
        var model = summary(checkout, token)
        (model.wayBack, model.backLabel) = wayBack(checkout, after: result, reader)
        let (title, text): (WalletText, WalletText?) =
            switch result.resultStatus {
            case "9000": (.paidTitle, nil)
            case "6001": (.cancelledTitle, .cancelledText)
            case "8000", "5000", "6002", "6004": (.unknownTitle, .processingText)
            default: (.failedTitle, .failedText)
            }
        model.text = text.map { texts[$0] }
        model.status = result.resultStatus
        model.memo = result.memo
        model.result = result.result
        model.isPaid = result.isPaid
        model.isBad = title == .cancelledTitle || title == .failedTitle
        model.isApp = checkout.channel == .app
        return try draw("result", title: texts[title], for: reader, page: model)
    }

    // MARK: The wallet

    func home(_ account: WalletAccount, balance: Balance, bills: [BillEntry], _ reader: Reader) throws -> String {
        var model = bill(bills, reader)
        model.greeting = reader.texts(.greeting, ["name": account.name])
        model.available = balance.available.description
        model.held = balance.held.isZero ? nil : balance.held.description
        model.number = account.number
        model.isHome = true
        return try draw("home", title: reader.texts[.homeLink], for: reader, page: model)
    }

    func bills(_ page: BillPage, _ reader: Reader) throws -> String {
        var model = bill(page.entries, reader)
        model.older = page.older.map { "/wallet/bills?before=\($0)" }
        model.isBills = true
        return try draw("bills", title: reader.texts[.billsTitle], for: reader, page: model)
    }

    private struct BillsPage {
        struct Row {
            var what: String
            var subject: String?
            var state: String
            var amount: String
            var isCredit: Bool
            var time: String
        }

        let navigation = true
        var isHome = false
        var isBills = false
        var bills: [Row]
        var older: String?
        // The home page.
        var greeting: String?
        var available: String?
        var held: String?
        var number: String?
    }

    private func bill(_ entries: [BillEntry], _ reader: Reader) -> BillsPage {
        let texts = reader.texts
        let rows = entries.map { entry -> BillsPage.Row in
            let (what, state): (String, WalletText) =
                switch entry.kind {
                case .payment(let hold):
                    (
                        texts(.billPayment, ["payee": hold.payee]),
                        hold.refunded > 0 ? .stateRefunded : WalletText.of(hold.state)
                    )
                case .refund(let refund): (texts(.billRefund, ["payee": refund.payee]), .stateDone)
                case .transfer(let transfer):
                    (texts[transfer.kind == .topUp ? .billTopUp : .billWithdrawal], .stateDone)
                case .alipayPlus(let payment):
                    (
                        texts(.billPayment, ["payee": payment.facts.payee]),
                        payment.refunded > 0 ? .stateRefunded : .stateCaptured
                    )
                case .alipayPlusRefund(let refund): (texts(.billRefund, ["payee": refund.payee]), .stateDone)
                }
            var row = BillsPage.Row(
                what: what, state: texts[state], amount: (entry.isCredit ? "+" : "−") + entry.amount.description,
                isCredit: entry.isCredit, time: BookDay.minute(of: entry.at))
            if case .payment(let hold) = entry.kind { row.subject = hold.subject }
            if case .alipayPlus(let payment) = entry.kind { row.subject = payment.facts.subject }
            return row
        }
        return BillsPage(bills: rows)
    }

    // MARK: Problems

    /// What a person is told of an error. Strangers learn nothing from it that they did not send.
    static func sentence(for error: any Error, _ texts: WalletTexts) -> String {
        guard let error = error as? WalletError else {
            if let error = error as? ServerError, error.code == .rateLimited || error.code == .unavailable { return texts[.tooOften] }
            return error is ServerError ? texts[.problemForm] : texts[.problemOther]
        }
        switch error.code {
        case .orderRefused: return texts(.problemOrder, ["code": error.gatewayCode ?? error.code.description])
        case .tradeRefused: return texts(.problemTrade, ["code": error.gatewayCode ?? error.code.description])
        case .gatewayUnavailable: return texts[.problemBusy]
        case .checkoutNotFound, .notFound, .accountNotFound: return texts[.problemNotFound]
        case .rateLimited: return texts[.tooOften]
        case .loginRefused: return texts[.loginRefused]
        case .insufficientBalance: return texts[.balanceTooSmall]
        case .tradeBeingPaid: return texts[.problemBeingPaid]
        case .termsChanged: return texts[.problemTerms]
        case .formForeign, .malformedRequest: return texts[.problemForm]
        default: return texts[.problemOther]
        }
    }

    /// - Parameters:
    ///   - retry: A path that may work better, if there is one.
    ///   - back: Where the merchant's app is.
    func problem(_ error: any Error, retry: String?, back: String? = nil, _ reader: Reader) throws -> String {
        let page = ProblemPage(
            problem: Self.sentence(for: error, reader.texts),
            // The text shows a developer what was signed wrongly; a customer of a live wallet has no use for it.
            verifiedText: configuration.mode == .test ? (error as? WalletError)?.verifiedText : nil, retry: retry, wayBack: back,
            backLabel: reader.texts(.backToMerchant, ["payee": ""]))
        return try draw("problem", title: reader.texts[.problemTitle], for: reader, page: page)
    }

    private struct ProblemPage {
        var problem: String
        var verifiedText: String?
        var retry: String?
        var wayBack: String?
        var backLabel: String
    }
}

extension WalletText {
    fileprivate static func of(_ state: HoldState) -> WalletText {
        switch state {
        case .held: .stateHeld
        case .captured: .stateCaptured
        case .released: .stateReleased
        }
    }
}
