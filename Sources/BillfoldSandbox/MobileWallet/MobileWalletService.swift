import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldStorage
import BillfoldTrace
import Foundation

/// A wallet's server: what Alipay+ asks of it, and what becomes of a payment. It believes Alipay+'s signature alone, and its books move
/// only together with the payment that they are about.
struct MobileWalletService: Sendable {
    let profile: MobileWalletProfile
    let surroundings: PartySurroundings
    let line: AlipayPlusLine
    /// Where its customers' browsers reach its pages: an origin.
    let origin: String

    var now: Int64 { surroundings.milliseconds }
    var database: any Database { surroundings.database }
    var party: Party { .mobileWallet(profile.type) }
    var address: String { "\(origin)/wallets/\(profile.slug)" }

    // MARK: Alipay+ asks

    /// Notes a payment and, where the customer has agreed beforehand, collects it. The same request id is the same payment for ever.
    func pay(_ request: WalletPayRequest) async throws -> WalletPayAnswer {
        if let violation = request.violations.first { return WalletPayAnswer(result: violation.result) }
        let wanted: MobilePayment
        do throws(AlipayPlusError) { wanted = try read(request) } catch {
            return WalletPayAnswer(result: AlipayPlusResult(refusing: error))
        }
        let token = request.paymentMethod?.paymentMethodId
        let now = now
        let payment = try await database.write { tx -> MobilePayment? in
            if let known = try PartyRecords.find(MobilePayment.self, wanted.id, in: tx) {
                return known.isSame(as: wanted) ? known : nil
            }
            var payment = wanted
            try Self.assign(&payment, in: tx)
            try decide(&payment, token: token, at: now, in: tx)
            try PartyRecords.put(payment, in: tx)
            return payment
        }
        guard let payment else { return WalletPayAnswer(result: .repeatRequestInconsistent) }
        return answer(payment)
    }

    private func read(_ request: WalletPayRequest) throws(AlipayPlusError) -> MobilePayment {
        let price = try request.paymentAmount.amount()
        let payable = try (request.payToAmount ?? request.paymentAmount).amount()
        guard payable.currency == profile.currency else {
            throw AlipayPlusError(code: .unknownCurrency, reason: "the wallet pays in \(profile.currency)")
        }
        let promotion = try request.promoAmount.map { amount throws(AlipayPlusError) in try amount.amount().minorUnits } ?? 0
        guard (0..<payable.minorUnits).contains(promotion),
            request.promoAmount.map({ $0.currency == payable.currency.alphabeticCode }) ?? true
        else { throw AlipayPlusError(code: .malformedAmount, reason: "promoAmount is not less than payToAmount, in its currency") }
        let owed = payable.minorUnits - promotion
        let offer = profile.offer.flatMap { offer in
            offer.funder == .wallet && payable.minorUnits >= offer.minimum && offer.off < owed ? offer.off : nil
        }
        return MobilePayment(
            id: request.paymentRequestId, number: "\(profile.codeIssuer)\(surroundings.digits(14))", acquirer: request.acquirerId,
            merchant: request.order.merchant?.merchantDisplayName ?? request.order.merchant?.merchantName ?? "a merchant",
            subject: request.order.orderDescription, order: request.order.referenceOrderId, price: price, payable: payable,
            promotion: promotion, offer: offer ?? 0, scenario: request.paymentFactor?.scenario ?? .cashier,
            customer: request.paymentMethod?.customerId, expiresAt: request.paymentExpiryTime?.millisecondsSince1970,
            redirect: request.paymentRedirectUrl, madeAt: now)
    }

    /// Finds the customer who scanned, and what the fault plan wants of the payment.
    private static func assign(_ payment: inout MobilePayment, in tx: any Transaction) throws {
        payment.customer = try payment.customer ?? PartyRecords.find(MobileScan.self, payment.id, in: tx)?.customer
        let planned = try planned(order: payment.order, customer: payment.customer, in: tx)
        payment.fault = planned.fault
        if let wish = planned.wish { try PartyRecords.remove(MobileFaultWish.self, wish, in: tx) }
    }

    /// What is to go wrong with an order's payment: what was wished for the order, else for the customer, else what the seed draws.
    ///
    /// - Returns: The wish is what is used up with it.
    static func planned(
        order: String, customer: String?, in tx: any Transaction
    ) throws -> (fault: MobileWalletFault?, wish: String?) {
        for id in ["order:\(order)"] + (customer.map { ["customer:\($0)"] } ?? []) {
            if let wish = try PartyRecords.find(MobileFaultWish.self, id, in: tx) { return (wish.fault, id) }
        }
        let seed = try PartyRecords.find(MobileFaultWish.self, "seed", in: tx)?.seed
        return (seed.flatMap { MobileWalletFault.drawn(seed: $0, for: order) }, nil)
    }

    private func decide(_ payment: inout MobilePayment, token: String?, at now: Int64, in tx: any Transaction) throws {
        let limits = profile.minimum...profile.maximum
        if try PartyRecords.find(MobileTombstone.self, payment.id, in: tx) != nil {
            payment.state = .cancelled
        } else if payment.expiresAt.map({ $0 <= now }) ?? false {
            refuse(&payment, .orderIsClosed)
        } else if !limits.contains(payment.payable.minorUnits) {
            refuse(&payment, .paymentAmountExceedLimit)
        } else if let customer = payment.customer, profile.people.first(where: { $0.id == customer }) == nil {
            refuse(&payment, .userNotExist)
        } else if payment.scenario == .automaticDebit, try !MobileConsent.allows(token, of: payment.customer, at: now, in: tx) {
            refuse(&payment, .invalidToken)
        } else if payment.scenario == .paymentCode || payment.scenario == .automaticDebit {
            // The customer agreed when they showed the code, or gave the token.
            try collect(&payment, at: now, in: tx)
        }
    }

    private func refuse(_ payment: inout MobilePayment, _ result: AlipayPlusResult) {
        payment.state = .refused
        payment.failure = result.resultCode
    }

    /// Takes the money, or refuses where there is not enough. A late success is noted and comes later.
    private func collect(_ payment: inout MobilePayment, isLate: Bool = false, at now: Int64, in tx: any Transaction) throws {
        guard let customer = payment.customer else { return refuse(&payment, .userNotExist) }
        if payment.fault == .lateSuccess, !isLate {
            payment.state = .confirmed
            let due = Timestamp(microseconds: (now + MobileWalletFault.lateSeconds * 1_000) * 1_000)
            return try PartyRecords.put(MobileLateSuccess(id: payment.id), due: due, in: tx)
        }
        let balance = try MobileBooks.balance(of: MobileBooks.customer(customer), profile.currency, in: tx)
        guard balance.minorUnits >= payment.collected.minorUnits else {
            refuse(&payment, .userBalanceNotEnough)
            return try tell(payment, at: now, in: tx)
        }
        payment.state = .paid
        payment.paidAt = now
        try MobileBooks.collect(payment, from: customer, at: now, in: tx)
        try tell(payment, at: now, in: tx)
    }

    /// Alipay+ is told of whatever is final, unless the fault plan keeps it back.
    private func tell(_ payment: MobilePayment, at now: Int64, in tx: any Transaction) throws {
        guard payment.fault != .notificationLost else { return }
        try PartyRecords.put(MobileNotice(id: payment.id), due: Timestamp(microseconds: now * 1_000), in: tx)
    }

    private func answer(_ payment: MobilePayment) -> WalletPayAnswer {
        WalletPayAnswer(
            result: payment.result, paymentId: payment.number,
            paymentTime: payment.paidAt.map { AlipayPlusTime(millisecondsSince1970: $0) }, paymentAmount: WireAmount(payment.price),
            customerId: payment.customer, normalUrl: "\(address)/payments/\(payment.id)")
    }

    func inquire(_ request: WalletInquiryRequest) async throws -> WalletInquiryAnswer {
        guard let id = request.paymentRequestId else { return WalletInquiryAnswer(result: .paramIllegal) }
        guard var payment = try await payment(id) else { return WalletInquiryAnswer(result: .orderNotExist) }
        if payment.fault == .unknownFirst, payment.state.isFinal, payment.met < MobileWalletFault.unknownTimes {
            _ = try await meet(id)
            payment.state = .waiting
        }
        return WalletInquiryAnswer(
            result: .success, paymentResult: payment.result, paymentRequestId: id, paymentId: payment.number,
            paymentAmount: WireAmount(payment.price), payToAmount: WireAmount(payment.payable),
            paymentTime: payment.paidAt.map { AlipayPlusTime(millisecondsSince1970: $0) }, customerId: payment.customer)
    }

    /// Takes a payment back in whatever state it is, until 00:15 in UTC+8 of the next day. What never came is kept from coming.
    func cancel(_ request: WalletCancelRequest) async throws -> PlainAnswer {
        guard let id = request.paymentRequestId else { return PlainAnswer(result: .paramIllegal) }
        let now = now
        return try await database.write { tx in
            guard var payment = try PartyRecords.find(MobilePayment.self, id, in: tx) else {
                try PartyRecords.put(MobileTombstone(id: id), in: tx)
                return PlainAnswer(result: .orderNotExist)
            }
            if payment.state == .cancelled { return PlainAnswer(result: .success) }
            guard payment.refunds.isEmpty else { return PlainAnswer(result: .businessNotSupport) }
            if payment.state == .paid, let customer = payment.customer {
                guard AlipayPlusTime(millisecondsSince1970: now) < AlipayPlusTime(millisecondsSince1970: payment.madeAt).cancelDeadline
                else { return PlainAnswer(result: .cancelWindowExceed) }
                try MobileBooks.giveBack(payment, to: customer, at: now, in: tx)
            }
            payment.state = .cancelled
            try PartyRecords.put(payment, in: tx)
            try PartyRecords.remove(MobileLateSuccess.self, id, in: tx)
            try PartyRecords.remove(MobileNotice.self, id, in: tx)
            return PlainAnswer(result: .success)
        }
    }

    /// Pays a part back. The same refund's id with the same amount says the same again.
    func refund(_ request: WalletRefundRequest) async throws -> WalletRefundAnswer {
        guard let id = request.paymentRequestId, let amount = try? (request.refundFromAmount ?? request.refundAmount).amount() else {
            return WalletRefundAnswer(result: .paramIllegal)
        }
        let (now, number) = (now, "\(profile.codeIssuer)\(surroundings.digits(14))")
        return try await database.write { tx in
            guard var payment = try PartyRecords.find(MobilePayment.self, id, in: tx) else {
                return WalletRefundAnswer(result: .orderNotExist)
            }
            func answer(_ refund: MobilePayment.Refund) -> WalletRefundAnswer {
                WalletRefundAnswer(
                    result: .success, refundId: refund.number, refundTime: AlipayPlusTime(millisecondsSince1970: refund.at),
                    refundAmount: request.refundAmount)
            }
            if let known = payment.refunds.first(where: { $0.id == request.refundRequestId }) {
                return known.units == amount.minorUnits ? answer(known) : WalletRefundAnswer(result: .repeatRequestInconsistent)
            }
            guard payment.state == .paid, let customer = payment.customer, let paidAt = payment.paidAt else {
                return WalletRefundAnswer(result: .orderIsClosed)
            }
            guard amount.currency == payment.payable.currency else { return WalletRefundAnswer(result: .currencyNotSupport) }
            guard AlipayPlusTime(millisecondsSince1970: now) <= AlipayPlusTime(millisecondsSince1970: paidAt).refundDeadline else {
                return WalletRefundAnswer(result: .refundWindowExceed)
            }
            guard (0...(payment.owed - payment.refunded)).contains(amount.minorUnits) else {
                return WalletRefundAnswer(result: .refundAmountExceed)
            }
            let refund = MobilePayment.Refund(
                id: request.refundRequestId, number: number, units: amount.minorUnits,
                toCustomer: try payment.customerPart(of: amount.minorUnits), at: now)
            try MobileBooks.refund(refund, of: payment, to: customer, at: now, in: tx)
            payment.refunds.append(refund)
            try PartyRecords.put(payment, in: tx)
            return answer(refund)
        }
    }

    // MARK: Fault plans

    /// Counts one more happening of a payment's fault plan, and returns how many there were before.
    func meet(_ id: String) async throws -> Int {
        try await database.write { tx in
            guard var payment = try PartyRecords.find(MobilePayment.self, id, in: tx) else { return 0 }
            payment.met += 1
            try PartyRecords.put(payment, in: tx)
            return payment.met - 1
        }
    }

    /// Sets what goes wrong with the next payment of a customer, or with that of an order; nil for nothing.
    func plan(_ fault: MobileWalletFault?, for id: String) async throws {
        try await database.write { tx in
            guard let fault else { return try PartyRecords.remove(MobileFaultWish.self, id, in: tx) }
            try PartyRecords.put(MobileFaultWish(id: id, fault: fault), in: tx)
        }
    }

    // MARK: The customer

    func payment(_ id: String) async throws -> MobilePayment? {
        try await database.read { try PartyRecords.find(MobilePayment.self, id, in: $0) }
    }

    /// Opens the accounts of the people whom everybody may play.
    func openAccounts() async throws {
        let now = now
        try await database.write { tx in
            for person in profile.people {
                try MobileBooks.book(
                    .init(
                        id: "opening \(person.id)", occasion: .opening, about: person.id, debit: MobileBooks.funding,
                        credit: MobileBooks.customer(person.id), amount: Amount(minorUnits: person.balance, currency: profile.currency),
                        at: now), in: tx)
            }
        }
    }

    /// Puts as much into a customer's account again as was in it at first.
    func deposit(for person: MobileWalletProfile.Person) async throws {
        let entry = MobileBooks.Entry(
            id: "deposit \(surroundings.reporter.makeName())", occasion: .deposit, about: person.id, debit: MobileBooks.funding,
            credit: MobileBooks.customer(person.id), amount: Amount(minorUnits: person.balance, currency: profile.currency), at: now)
        try await database.write { try MobileBooks.book(entry, in: $0) }
    }

    /// Asks Alipay+ what a scanned text leads to, and notes that this customer scanned it. Refuses with `code-refused`, or with
    /// `alipay-plus-silent` where nobody knows.
    func scan(_ text: String, by customer: String) async throws -> MobileScan {
        let code = String(text.trimmingCharacters(in: .whitespacesAndNewlines).prefix(512))
        let answer: WalletUserInitiatedPayAnswer
        do {
            answer = try await line.call(
                WalletUserInitiatedPayRequest(
                    pspId: profile.pspID, codeValue: code, customerId: customer, env: WireEnv(terminalType: .app)), about: [:])
        } catch is SandboxError {
            throw SandboxRefusal(code: "alipay-plus-silent", reason: "nobody answered; scan the code again", status: 503)
        }
        guard answer.result.isSuccess, let id = answer.paymentRequestId, let order = answer.order,
            let price = try answer.paymentAmount?.amount(), let payable = try (answer.payToAmount ?? answer.paymentAmount)?.amount()
        else {
            throw SandboxRefusal(
                code: "code-refused", reason: "\(answer.result.resultCode): \(answer.result.resultMessage ?? "")", status: 422)
        }
        let scan = MobileScan(
            id: id, customer: customer, merchant: order.merchant?.merchantDisplayName ?? order.merchant?.merchantName ?? "a merchant",
            subject: order.orderDescription, price: price, payable: payable, at: now)
        try await database.write { tx in
            try PartyRecords.put(scan, in: tx)
            // The request to collect may have been quicker.
            guard var payment = try PartyRecords.find(MobilePayment.self, id, in: tx), payment.customer == nil else { return }
            payment.customer = customer
            try PartyRecords.put(payment, in: tx)
        }
        return scan
    }

    func scan(_ id: String) async throws -> MobileScan? {
        try await database.read { try PartyRecords.find(MobileScan.self, id, in: $0) }
    }

    /// The customer confirms. Refuses with `payment-unknown`, `payment-closed`, and with `balance-short` without touching the payment:
    /// the customer may go back and choose another wallet.
    func confirm(_ id: String, by customer: String) async throws -> MobilePayment {
        let now = now
        return try await change(id, by: customer) { payment, tx in
            guard payment.state == .waiting else { return }
            guard payment.expiresAt.map({ now < $0 }) ?? true else {
                throw SandboxRefusal(code: "payment-closed", reason: "the time to pay is over", status: 409)
            }
            let balance = try MobileBooks.balance(of: MobileBooks.customer(customer), profile.currency, in: tx)
            guard balance.minorUnits >= payment.collected.minorUnits else {
                throw SandboxRefusal(
                    code: "balance-short", reason: "The balance of \(balance) does not reach for \(payment.collected).", status: 409)
            }
            try collect(&payment, at: now, in: tx)
        }
    }

    /// The customer does not want to pay: final, and told to Alipay+.
    func decline(_ id: String, by customer: String) async throws -> MobilePayment {
        let now = now
        return try await change(id, by: customer) { payment, tx in
            guard payment.state == .waiting else { return }
            refuse(&payment, .userPaymentVerificationFailed)
            try tell(payment, at: now, in: tx)
        }
    }

    private func change(
        _ id: String, by customer: String, _ body: @escaping @Sendable (inout MobilePayment, any Transaction) throws -> Void
    ) async throws -> MobilePayment {
        try await database.write { tx in
            guard var payment = try PartyRecords.find(MobilePayment.self, id, in: tx), payment.customer == customer else {
                throw SandboxRefusal(code: "payment-unknown", reason: "this customer has no such payment", status: 404)
            }
            let before = payment
            try body(&payment, tx)
            if payment != before { try PartyRecords.put(payment, in: tx) }
            return payment
        }
    }

    /// Collects what was confirmed and is due. Returns how many payments that were.
    func collectLate() async throws -> Int {
        let (instant, now) = (surroundings.clock.now(), now)
        return try await database.write { tx in
            let due = try PartyRecords.due(MobileLateSuccess.self, at: instant, limit: 16, in: tx)
            for late in due {
                try PartyRecords.remove(MobileLateSuccess.self, late.id, in: tx)
                guard var payment = try PartyRecords.find(MobilePayment.self, late.id, in: tx), payment.state == .confirmed else {
                    continue
                }
                if payment.expiresAt.map({ $0 <= now }) ?? false {
                    refuse(&payment, .orderIsClosed)
                    try tell(payment, at: now, in: tx)
                } else {
                    try collect(&payment, isLate: true, at: now, in: tx)
                }
                try PartyRecords.put(payment, in: tx)
            }
            return due.count
        }
    }

    /// A code for the customer to show, with the instant at which it ends.
    func code(for customer: String) async throws -> WirePaymentCode {
        guard profile.scenarios.contains(.paymentCode) else {
            throw SandboxRefusal(code: "no-codes", reason: "this wallet shows no codes", status: 404)
        }
        do {
            let answer = try await line.call(
                GetPaymentCodeRequest(
                    customerId: customer, region: profile.region, codeQuantity: 1, env: WireEnv(terminalType: .app, osType: .ios)),
                about: [:])
            guard answer.result.isSuccess, let code = answer.paymentCodes?.first else {
                throw SandboxRefusal(code: "code-refused", reason: answer.result.resultCode, status: 422)
            }
            return code
        } catch is SandboxError {
            throw SandboxRefusal(code: "alipay-plus-silent", reason: "nobody answered; ask for a code again", status: 503)
        }
    }

    func balance(of customer: String) async throws -> Amount {
        try await database.read { try MobileBooks.balance(of: MobileBooks.customer(customer), profile.currency, in: $0) }
    }

    /// A customer's payments, the last first.
    func payments(of customer: String) async throws -> [MobilePayment] {
        try await database.read { try PartyRecords.all(MobilePayment.self, in: $0) }
            .filter { $0.customer == customer }.sorted { ($0.madeAt, $0.id) > ($1.madeAt, $1.id) }
    }
}
