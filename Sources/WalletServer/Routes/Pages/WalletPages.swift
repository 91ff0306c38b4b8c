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

    func draw(_ template: String, _ title: String, _ reader: Reader, _ content: [String: Any]) throws -> String {
        var model = content
        model["t"] = reader.texts.model
        model["language"] = reader.texts.language.rawValue
        model["title"] = title
        model["csrf"] = reader.csrf
        model["isTest"] = configuration.mode == .test
        model["languages"] = WalletLanguage.allCases.map { language in
            [
                "name": language.name, "code": language.rawValue, "isCurrent": language == reader.texts.language,
                "path": "/wallet/language?to=\(language.rawValue)&next=\(reader.path)",
            ] as [String: Any]
        }
        return try PageSet.wallet.render("wallet/\(template)", model)
    }

    // MARK: The cashier

    private func summary(_ checkout: Checkout, _ token: String) -> [String: Any] {
        let order = checkout.order
        var model: [String: Any] = [
            "token": token, "payee": order.payee, "subject": order.subject, "payable": checkout.payable.description,
        ]
        if let body = order.body, !body.isEmpty { model["body"] = body }
        if order.price.currency != order.payable.currency {
            model["price"] = order.price.description
            if let rate = order.rate { model["rate"] = rate }
        }
        return model
    }

    func order(_ checkout: Checkout, _ token: String, customer: WalletAccount?, _ reader: Reader) throws -> String {
        var model = summary(checkout, token)
        if let customer { model["payingAs"] = reader.texts(.payingAs, ["name": "\(customer.name) (\(customer.maskedLogin))"]) }
        model["isStranger"] = customer == nil
        return try draw("order", reader.texts[.orderTitle], reader, model)
    }

    /// - Parameters:
    ///   - token: The checkout's; `nil` for the login to the wallet itself.
    ///   - action: Where the form goes instead.
    func login(token: String?, name: String = "", problem: String? = nil, action: String? = nil, _ reader: Reader) throws -> String {
        var model: [String: Any] = ["action": action ?? token.map { "/cashier/\($0)/login" } ?? "/wallet/login", "name": name]
        model["token"] = token
        model["problem"] = problem
        model["hasDemo"] = !configuration.demoCustomers.isEmpty
        model["demo"] = configuration.demoCustomers.map {
            [
                "name": $0.name, "email": $0.email, "loginPassword": $0.loginPassword, "paymentPassword": $0.paymentPassword,
            ]
        }
        return try draw("login", reader.texts[.loginTitle], reader, model)
    }

    func means(_ checkout: Checkout, _ token: String, balance: Balance, problem: String? = nil, _ reader: Reader) throws -> String {
        let isEnough = balance.available.minorUnits >= checkout.payable.minorUnits
        var model = summary(checkout, token)
        model["available"] = reader.texts(.availableAmount, ["amount": balance.available.description])
        model["isEnough"] = isEnough
        model["problem"] = problem ?? (isEnough ? nil : reader.texts[.balanceTooSmall])
        return try draw("means", reader.texts[.meansTitle], reader, model)
    }

    func password(_ checkout: Checkout, _ token: String, problem: String? = nil, _ reader: Reader) throws -> String {
        var model = summary(checkout, token)
        model["amount"] = checkout.payable.text
        model["payButton"] = reader.texts(.payButton, ["amount": checkout.payable.description])
        model["problem"] = problem
        return try draw("password", reader.texts[.passwordTitle], reader, model)
    }

    private func wayBack(_ checkout: Checkout, _ result: ClientResult, _ reader: Reader) -> [String: Any] {
        let back = WayBack(openers: configuration.openers)
            .address(scheme: checkout.scheme, returnURL: checkout.order.returnURL, result)
        guard let back else { return [:] }
        return ["wayBack": back, "backLabel": reader.texts(.backToMerchant, ["payee": checkout.order.payee])]
    }

    func processing(_ checkout: Checkout, _ token: String, _ reader: Reader) throws -> String {
        let model = summary(checkout, token).merging(wayBack(checkout, .processing(reader.texts), reader)) { own, _ in own }
        return try draw("processing", reader.texts[.processingTitle], reader, model)
    }

    func result(_ checkout: Checkout, _ token: String, _ result: ClientResult, _ reader: Reader) throws -> String {
        let texts = reader.texts
        var model = summary(checkout, token).merging(wayBack(checkout, result, reader)) { own, _ in own }
        let (title, text): (WalletText, WalletText?) =
            switch result.resultStatus {
            case "9000": (.paidTitle, nil)
            case "6001": (.cancelledTitle, .cancelledText)
            case "8000", "5000", "6002", "6004": (.unknownTitle, .processingText)
            default: (.failedTitle, .failedText)
            }
        model["title"] = texts[title]
        model["text"] = text.map { texts[$0] }
        model["status"] = result.resultStatus
        model["memo"] = result.memo
        model["result"] = result.result
        model["isPaid"] = result.isPaid
        model["isBad"] = title == .cancelledTitle || title == .failedTitle
        model["isApp"] = checkout.channel == .app
        model["isAlone"] = model["wayBack"] == nil
        return try draw("result", texts[title], reader, model)
    }

    // MARK: The wallet

    func home(_ account: WalletAccount, balance: Balance, bills: [BillEntry], _ reader: Reader) throws -> String {
        var model = bill(bills, reader)
        model["greeting"] = reader.texts(.greeting, ["name": account.name])
        model["available"] = balance.available.description
        if !balance.held.isZero { model["held"] = balance.held.description }
        model["number"] = account.number
        model["navigation"] = true
        model["isHome"] = true
        return try draw("home", reader.texts[.homeLink], reader, model)
    }

    func bills(_ page: BillPage, _ reader: Reader) throws -> String {
        var model = bill(page.entries, reader)
        model["older"] = page.older.map { "/wallet/bills?before=\($0)" }
        model["navigation"] = true
        model["isBills"] = true
        return try draw("bills", reader.texts[.billsTitle], reader, model)
    }

    private func bill(_ entries: [BillEntry], _ reader: Reader) -> [String: Any] {
        let texts = reader.texts
        let rows = entries.map { entry -> [String: Any] in
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
            var row: [String: Any] = [
                "what": what, "state": texts[state], "amount": (entry.isCredit ? "+" : "−") + entry.amount.description,
                "isCredit": entry.isCredit, "time": BookDay.minute(of: entry.at),
            ]
            if case .payment(let hold) = entry.kind { row["subject"] = hold.subject }
            if case .alipayPlus(let payment) = entry.kind { row["subject"] = payment.facts.subject }
            return row
        }
        return ["bills": rows, "hasBills": !rows.isEmpty, "isEmpty": rows.isEmpty]
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
        var model: [String: Any] = ["problem": Self.sentence(for: error, reader.texts)]
        // The text shows a developer what was signed wrongly; a customer of a live wallet has no use for it.
        if configuration.mode == .test, let text = (error as? WalletError)?.verifiedText { model["verifiedText"] = text }
        model["retry"] = retry
        if let back {
            model["wayBack"] = back
            model["backLabel"] = reader.texts(.backToMerchant, ["payee": ""])
        }
        return try draw("problem", reader.texts[.problemTitle], reader, model)
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
