import AlipayPlus
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// Turns an acquirer's `pay` into a stored payment, or refuses it. The same request id is the same payment for ever; a repeat tells its
/// progress (alipay-plus.md#idempotency [D]).
struct PaymentIntake: Sendable {
    let context: AlipayPlusServerContext
    let unlisted: UnlistedPayments

    /// What came of a request.
    struct Taken: Sendable {
        var payment: AcquirerPayment
        /// Errands that are leased to this request; none where it is a repeat.
        var errands: [OutboxMessage] = []
    }

    func take(_ request: PayRequest, by acquirer: Acquirer) async throws -> Taken {
        guard let scenario = request.paymentFactor?.scenario else { throw ResultRefusal(.paramIllegal) }
        let now = context.clock.now()
        let id = context.issued.next(at: now, for: acquirer.id)
        let key: IdempotencyKey
        do { key = try IdempotencyKey(caller: acquirer.clientID, operation: PayRequest.api, key: request.paymentRequestId) } catch {
            throw ResultRefusal(.paramIllegal, "paymentRequestId is not printable ASCII without spaces")
        }
        let fingerprint = RequestFingerprint(texts: request.comparedValues)
        let consent = try Consent(request, scenario: scenario, context: context)
        let legID = context.identifiers.next(at: now)
        let keyed = KeyedRequest(key, fingerprint: fingerprint, subject: id, at: now)
        do {
            let decided = try await context.database.decideOnce(
                keyed, answering: id.bytes,
                keeping: { error in
                    guard let kept = try ResultRefusal.kept(error) else { return nil }
                    if let instead = try await doubt(request, scenario, by: acquirer) { throw instead }
                    return kept
                }
            ) { tx in
                try unlisted.demandNoNotice(request.paymentRequestId, by: acquirer, in: tx)
                do {
                    return try begin(request, scenario: scenario, consent: consent, id: id, leg: legID, by: acquirer, at: now, in: tx)
                } catch  where !(error is StorageError) {
                    // The key may be forgotten, and the request id is not.
                    let earlier = try AcquirerPaymentRecords.find(requestID: request.paymentRequestId, acquirer: acquirer.id, in: tx)
                    if let earlier, earlier.id != id { throw ForgottenKey(isSame: request.repeats(earlier)) }
                    throw error
                }
            }
            if let taken = try decided.made() { return taken }
        } catch let forgotten as ForgottenKey {
            guard forgotten.isSame else { throw ResultRefusal(.repeatRequestInconsistent) }
        }
        // What is known is answered with its progress, whatever the request would be refused for by now: an F would tell the acquirer that
        // nothing was taken.
        return Taken(payment: try await context.database.lookup { try known(request, acquirer, in: $0) })
    }

    /// A request that is refused now may repeat one that was taken, and that the books have lost: only wallets know.
    private func doubt(_ request: PayRequest, _ scenario: PaymentScenario, by acquirer: Acquirer) async throws -> ResultRefusal? {
        // What is only evaluated was never taken.
        guard request.paymentFactor?.isPaymentEvaluation != true else { return nil }
        let type = request.paymentMethod.paymentMethodType.rawValue
        let isOfOneLeg = scenario == .paymentCode || scenario == .automaticDebit
        return try await unlisted.doubt(
            request.paymentRequestId,
            .init(
                wallet: type == PaymentMethodType.connectWallet.rawValue ? nil : type,
                legs: isOfOneLeg ? 1 : WalletRequests.mostLegs), by: acquirer)
    }

    private func known(_ request: PayRequest, _ acquirer: Acquirer, in tx: any Transaction) throws -> AcquirerPayment {
        guard let known = try AcquirerPaymentRecords.find(requestID: request.paymentRequestId, acquirer: acquirer.id, in: tx) else {
            throw PaymentsError(code: .corruptRecord, reason: "a request id without its payment")
        }
        return known
    }

    private func begin(
        _ request: PayRequest, scenario: PaymentScenario, consent: Consent?, id: TimeOrderedID, leg legID: TimeOrderedID,
        by acquirer: Acquirer, at now: Timestamp, in tx: any Transaction
    ) throws -> Taken {
        let payment = try wanted(request, scenario, id: id, by: acquirer, at: now)
        let stored = try context.store.begin(payment, by: "acquirer:\(acquirer.id)", in: tx)
        guard let consent else {
            try demandNamedWallet(of: stored, by: acquirer, in: tx)
            return Taken(payment: stored)
        }
        let (walletType, customer) = try consent.take(for: stored, by: acquirer, at: now, in: tx)
        guard let wallet = try AlipayPlusPartyRecords.wallet(walletType, in: tx) else { throw ResultRefusal(.unavailablePaymentMethod) }
        let detail = try LegMaker.detail(
            of: stored, by: wallet, acquirer: acquirer, customerID: customer.id, authorization: customer.authorization,
            rates: context.rates.table(in: tx), at: now)
        let applied = try context.store.apply(
            .init(
                event: .walletChosen(leg: legID, wallet: walletType), actor: "acquirer:\(acquirer.id)", detail: detail,
                lease: context.configuration.lease), to: stored.id, acquirer: acquirer.id, at: now, in: tx)
        return Taken(payment: applied.payment, errands: applied.errands)
    }

    /// Whoever names a wallet means one that there is, and that can be paid by in this way (alipay-plus.md#wallet-and-currencies [I]). What
    /// its limits and the rates say is said when it is chosen.
    private func demandNamedWallet(of payment: AcquirerPayment, by acquirer: Acquirer, in tx: any Transaction) throws {
        guard let named = payment.terms.onlyWallet else { return }
        guard let wallet = try AlipayPlusPartyRecords.wallet(named, in: tx) else {
            throw ResultRefusal(
                .unavailablePaymentMethod, "paymentMethod.paymentMethodType is neither CONNECT_WALLET nor a wallet known here")
        }
        let obstacles = WalletFilter(payment, of: acquirer)
            .obstacles(to: wallet, payable: Amount(minorUnits: 0, currency: wallet.currency))
        if let first = obstacles.first { throw ResultRefusal(first.result, "\(wallet.type) cannot pay this: \(first.rawValue)") }
    }

    /// The payment that a request asks for, before anything is stored.
    private func wanted(
        _ request: PayRequest, _ scenario: PaymentScenario, id: TimeOrderedID, by acquirer: Acquirer, at now: Timestamp
    ) throws -> AcquirerPayment {
        guard let name = request.order.merchant?.referenceMerchantId, let merchant = acquirer.merchant(name) else {
            throw ResultRefusal(.merchantNotRegistered, "order.merchant.referenceMerchantId is no merchant that is registered")
        }
        let type = request.paymentMethod.paymentMethodType.rawValue
        guard type == PaymentMethodType.connectWallet.rawValue || acquirer.covers(type) else { throw ResultRefusal(.invalidContract) }
        if request.paymentFactor?.isPaymentEvaluation == true {
            throw ResultRefusal(.businessNotSupport, "payments are made here, not evaluated")
        }
        let notifyURL = request.paymentNotifyUrl ?? acquirer.notifyURL
        let addresses = CallbackAddresses(acquirer, context.addresses)
        if let problem = notifyURL.flatMap({ addresses.problem(with: $0) }) {
            throw ResultRefusal(.paramIllegal, "paymentNotifyUrl is refused: \(problem)")
        }
        if let problem = request.paymentRedirectUrl.flatMap({ addresses.problem(returning: $0) }) {
            throw ResultRefusal(.paramIllegal, "paymentRedirectUrl is refused: \(problem)")
        }
        let settlement = try (request.settlementStrategy?.settlementCurrency).map { try WireCurrency($0).currency }
        // One agreement per settlement currency (alipay-plus.md#wallet-and-currencies [I]).
        if let settlement, settlement != acquirer.settlementCurrency {
            throw ResultRefusal(
                .invalidContract, "settlementStrategy.settlementCurrency is not the contract's, \(acquirer.settlementCurrency)")
        }
        let reference = [context.identifiers.bits(), context.identifiers.bits()].map { bits in
            let digits = String(bits, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        return AcquirerPayment(
            acquirer: acquirer.id, id: id, requestID: request.paymentRequestId, reference: reference,
            scenario: scenario, state: .processing, version: 1,
            terms: .init(
                amount: try request.paymentAmount.amount(), order: request.order, merchantName: merchant.name, methodType: type,
                settlementCurrency: settlement ?? acquirer.settlementCurrency, notifyURL: notifyURL,
                redirectURL: request.paymentRedirectUrl,
                userRegion: request.userRegion, allowedRegions: request.allowedPspRegions ?? []),
            progress: .init(), createdAt: now, expiresAt: try end(request, scenario, at: now), auditHead: .start)
    }

    private func end(_ request: PayRequest, _ scenario: PaymentScenario, at now: Timestamp) throws -> Timestamp {
        guard let wanted = request.paymentExpiryTime else {
            return now.advanced(by: context.configuration.lifetimes[scenario] ?? .seconds(AlipayPlusSchedule.paymentLifetime))
        }
        // A client whose clock is another's, in test mode, means its own time; one who is ahead of everybody has moved that time itself.
        let isAhead = context.clock.now() > context.clock.everybodysNow
        let clocks = [context.clock, isAhead ? nil : context.configuration.clientsClock].compactMap { $0?.now().microseconds }
        let left = clocks.map { Timestamp(wanted).microseconds - $0 }.filter { $0 > 0 }.min()
        guard let left else { throw ResultRefusal(.paramIllegal, "paymentExpiryTime lies behind: here it is \(now.alipayPlusTime)") }
        let longest = Timestamp(microseconds: 0).advanced(by: context.configuration.maximumLifetime).microseconds
        return Timestamp(microseconds: now.microseconds + min(left, longest))
    }
}

/// What lets a payment begin without its payer: a code that was shown, or a token.
enum Consent: Sendable {
    /// Its minute is that of the wallet, which lives at everybody's time.
    case code(KeyedHash, at: Timestamp)
    /// For the wallet and the client that it was granted for.
    case token(KeyedHash, wallet: String, authClientID: String)

    struct Customer: Sendable {
        var id: String?
        var authorization: TimeOrderedID?
    }

    init?(_ request: PayRequest, scenario: PaymentScenario, context: AlipayPlusServerContext) throws {
        switch scenario {
        case .paymentCode:
            let code = try PaymentCode(request.paymentMethod.paymentMethodId ?? "")
            self = .code(context.hash(code.digits, purpose: PaymentCodeService.purpose), at: context.clock.everybodysNow)
        case .automaticDebit:
            self = .token(
                AuthorizationService.accessHash(request.paymentMethod.paymentMethodId ?? "", context),
                wallet: request.paymentMethod.paymentMethodType.rawValue,
                authClientID: request.paymentMethod.paymentMethodMetaData?.authClientId ?? "")
        case .cashier, .orderCode, .entryCode: return nil
        }
    }

    /// Takes the consent for a payment; a code pays once.
    func take(
        for payment: AcquirerPayment, by acquirer: Acquirer, at now: Timestamp, in tx: any Transaction
    ) throws -> (wallet: String, customer: Customer) {
        switch self {
        case .code(let hash, at: let now):
            guard let found = try PaymentCodeRecords.find(hash, in: tx) else { throw ResultRefusal(.invalidCode) }
            guard try PaymentCodeRecords.take(hash, for: payment.id, at: now, in: tx) else {
                throw ResultRefusal(.expiredCode, found.isUsed ? "the code was used before" : "the code's minute is over")
            }
            return (found.wallet, Customer(id: found.customer))
        case .token(let hash, let wallet, let client):
            guard let found = try AuthorizationRecords.find(.access, hash, acquirer: acquirer.id, in: tx), found.state == .active,
                ExactText.equal(found.terms.wallet, wallet), ExactText.equal(found.terms.authClientID, client),
                ExactText.equal(client, payment.terms.merchantID)
            else { throw ResultRefusal(.invalidToken) }
            if let end = found.progress.accessEnds, end <= now { throw ResultRefusal(.expiredAccessToken) }
            return (found.terms.wallet, Customer(id: found.progress.customerID, authorization: found.id))
        }
    }
}

extension PayRequest {
    /// Whether it agrees with what a payment was asked for, in what is compared between repeats.
    fileprivate func repeats(_ payment: AcquirerPayment) -> Bool {
        (try? paymentAmount.amount()) == payment.terms.amount && order.orderAmount == payment.terms.order.orderAmount
            && paymentMethod.paymentMethodType.rawValue.utf8.elementsEqual(payment.terms.methodType.utf8)
    }
}
