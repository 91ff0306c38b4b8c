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

    /// What `summary.mustache` names.
    private struct Summary {
        var payee: String
        var subject: String
        var body: String?
        var payable: String
        var price: String?
        var rate: String?

        init(_ checkout: Checkout) {
            let order = checkout.order
            let isConverted = order.price.currency != order.payable.currency
            (payee, subject) = (order.payee, order.subject)
            body = order.body.flatMap { $0.isEmpty ? nil : $0 }
            payable = checkout.payable.description
            price = isConverted ? order.price.description : nil
            rate = isConverted ? order.rate : nil
        }
    }

    private struct OrderPage {
        var token: String
        var order: Summary
        var payingAs: String?
    }

    func order(_ checkout: Checkout, token: String, customer: WalletAccount?, _ reader: Reader) throws -> String {
        let page = OrderPage(
            token: token, order: Summary(checkout),
            payingAs: customer.map { reader.texts(.payingAs, ["name": "\($0.name) (\($0.maskedLogin))"]) })
        return try draw("order", title: reader.texts[.orderTitle], for: reader, page: page)
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

    private struct MeansPage {
        var token: String
        var order: Summary
        var available: String
        var isEnough: Bool
        var problem: String?
    }

    func means(_ checkout: Checkout, token: String, balance: Balance, problem: String? = nil, _ reader: Reader) throws -> String {
        let isEnough = balance.available.minorUnits >= checkout.payable.minorUnits
        let page = MeansPage(
            token: token, order: Summary(checkout),
            available: reader.texts(.availableAmount, ["amount": balance.available.description]), isEnough: isEnough,
            problem: problem ?? (isEnough ? nil : reader.texts[.balanceTooSmall]))
        return try draw("means", title: reader.texts[.meansTitle], for: reader, page: page)
    }

    private struct PasswordPage {
        var token: String
        var order: Summary
        var amount: String
        var payButton: String
        var problem: String?
    }

    func password(_ checkout: Checkout, token: String, problem: String? = nil, _ reader: Reader) throws -> String {
        let page = PasswordPage(
            token: token, order: Summary(checkout), amount: checkout.payable.text,
            payButton: reader.texts(.payButton, ["amount": checkout.payable.description]), problem: problem)
        return try draw("password", title: reader.texts[.passwordTitle], for: reader, page: page)
    }

    private func wayBack(_ checkout: Checkout, after result: ClientResult) -> String? {
        WayBack(openers: configuration.openers).address(scheme: checkout.scheme, returnURL: checkout.order.returnURL, result)
    }

    private func backLabel(_ checkout: Checkout, _ reader: Reader) -> String {
        reader.texts(.backToMerchant, ["payee": checkout.order.payee])
    }

    private struct ProcessingPage {
        var token: String
        var order: Summary
        var wayBack: String?
        var backLabel: String
    }

    func processing(_ checkout: Checkout, token: String, _ reader: Reader) throws -> String {
        let page = ProcessingPage(
            token: token, order: Summary(checkout), wayBack: wayBack(checkout, after: .processing(reader.texts)),
            backLabel: backLabel(checkout, reader))
        return try draw("processing", title: reader.texts[.processingTitle], for: reader, page: page)
    }

    private struct ResultPage {
        var order: Summary
        var text: String?
        var over: OrderSummary.Over?
        var story: String?
        var status: String
        var memo: String
        var result: String
        var isPaid: Bool
        var isBad: Bool
        var isApp: Bool
        var wayBack: String?
        var backLabel: String
    }

    func result(_ checkout: Checkout, result: ClientResult, _ reader: Reader) throws -> String {
        let texts = reader.texts
        let (title, text): (WalletText, WalletText?) =
            switch (checkout.order.state, result.resultStatus) {
            // The gateway said so when the order was shown: nothing was to be done here.
            case (.paid, _): (.paidBeforeTitle, .paidBeforeText)
            case (.closed, _): (.overTitle, .overText)
            case (_, "9000"): (.paidTitle, nil)
            case (_, "6001"): (.cancelledTitle, .cancelledText)
            case (_, "8000"), (_, "5000"), (_, "6002"), (_, "6004"): (.unknownTitle, .processingText)
            default: (.failedTitle, .failedText)
            }
        let over = configuration.mode == .test ? checkout.order.over : nil
        let page = ResultPage(
            order: Summary(checkout), text: text.map { texts[$0] }, over: over, story: story(of: over?.order), status: result.resultStatus,
            memo: result.memo, result: result.result, isPaid: result.isPaid || title == .paidBeforeTitle,
            isBad: [.cancelledTitle, .failedTitle, .overTitle].contains(title), isApp: checkout.channel == .app,
            wayBack: wayBack(checkout, after: result), backLabel: backLabel(checkout, reader))
        return try draw("result", title: texts[title], for: reader, page: page)
    }

    // MARK: The wallet

    private struct HomePage {
        let navigation = true
        let isHome = true
        let isBills = false
        var greeting: String
        var available: String
        var held: String?
        var number: String
        var bills: [BillRow]
    }

    func home(_ account: WalletAccount, balance: Balance, bills: [BillEntry], _ reader: Reader) throws -> String {
        let page = HomePage(
            greeting: reader.texts(.greeting, ["name": account.name]), available: balance.available.description,
            held: balance.held.isZero ? nil : balance.held.description, number: account.number,
            bills: bills.map { BillRow($0, reader.texts) })
        return try draw("home", title: reader.texts[.homeLink], for: reader, page: page)
    }

    private struct BillsPage {
        let navigation = true
        let isHome = false
        let isBills = true
        var bills: [BillRow]
        var older: String?
    }

    func bills(_ bills: BillPage, _ reader: Reader) throws -> String {
        let page = BillsPage(
            bills: bills.entries.map { BillRow($0, reader.texts) }, older: bills.older.map { "/wallet/bills?before=\($0)" })
        return try draw("bills", title: reader.texts[.billsTitle], for: reader, page: page)
    }

    /// What `bills-table.mustache` names.
    private struct BillRow {
        var what: String
        var subject: String?
        var state: String
        var amount: String
        var isCredit: Bool
        var time: String

        init(_ entry: BillEntry, _ texts: WalletTexts) {
            (what, subject) =
                switch entry.kind {
                case .payment(let hold): (texts(.billPayment, ["payee": hold.payee]), hold.subject)
                case .refund(let refund): (texts(.billRefund, ["payee": refund.payee]), nil)
                case .transfer(let transfer): (texts[transfer.kind == .topUp ? .billTopUp : .billWithdrawal], nil)
                case .alipayPlus(let payment): (texts(.billPayment, ["payee": payment.facts.payee]), payment.facts.subject)
                case .alipayPlusRefund(let refund): (texts(.billRefund, ["payee": refund.payee]), nil)
                }
            let standing: WalletText =
                switch entry.kind {
                case .payment(let hold): hold.refunded > 0 ? .stateRefunded : WalletText.of(hold.state)
                case .alipayPlus(let payment): payment.refunded > 0 ? .stateRefunded : .stateCaptured
                case .refund, .transfer, .alipayPlusRefund: .stateDone
                }
            state = texts[standing]
            isCredit = entry.isCredit
            amount = (isCredit ? "+" : "−") + entry.amount.description
            time = BookDay.minute(of: entry.at)
        }
    }

    // MARK: Problems

    /// What a person is told of an error. Strangers learn nothing from it that they did not send.
    static func sentence(for error: any Error, _ texts: WalletTexts) -> String {
        guard let error = error as? WalletError else {
            if let error = error as? ServerError, error.code == .rateLimited || error.code == .unavailable { return texts[.tooOften] }
            return error is ServerError ? texts[.problemForm] : texts[.problemOther]
        }
        switch error.code {
        case .orderRefused, .tradeRefused:
            if error.gatewayCode == OrderGatewayLink.alreadyPaid { return texts[.paidBeforeText] }
            return texts(
                error.code == .orderRefused ? .problemOrder : .problemTrade, ["code": error.gatewayCode ?? error.code.description])
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
        let refused = refusedOrder(error)
        let page = ProblemPage(
            problem: Self.sentence(for: error, reader.texts), why: refused.map { $0.reason }, parameter: refused?.parameter,
            verifiedText: refused?.verifiedText, story: story(of: refused?.order), retry: retry, wayBack: back,
            backLabel: reader.texts(.backToMerchant, ["payee": ""]))
        return try draw("problem", title: reader.texts[.problemTitle], for: reader, page: page)
    }

    /// What a developer has to mend; a customer of a live wallet has no use for it.
    private func refusedOrder(_ error: any Error) -> WalletError? {
        guard configuration.mode == .test, let error = error as? WalletError, [.orderRefused, .tradeRefused].contains(error.code) else {
            return nil
        }
        return error
    }

    /// The error as a program is told of it: with what the page of a refused order says.
    func told(_ error: any Error) -> any Error {
        guard var refused = refusedOrder(error) else { return error }
        refused.details["parameter"] = refused.parameter
        refused.details["verifiedText"] = refused.verifiedText
        refused.details["story"] = story(of: refused.order)
        return refused
    }

    /// Where the console shows what was sent and answered of an order.
    private func story(of order: String?) -> String? {
        guard let order, let console = configuration.console else { return nil }
        return "\(console)/stories/\(PathSegment.encoded("alipay.order:" + order))"
    }

    private struct ProblemPage {
        var problem: String
        var why: String?
        var parameter: String?
        var verifiedText: String?
        var story: String?
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
