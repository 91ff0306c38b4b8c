import BillfoldJSON

/// What one signed word of Alipay+ proves about a payment or a refund (alipay-plus.md#results, alipay-plus.md#notification [D]).
public enum AlipayPlusOutcome: Sendable, Hashable {
    /// The amount that was asked for was paid, or given back.
    case done
    /// Refused and final: nothing moves under this request id.
    case refused(code: String)
    /// Nobody knows: ask again under the same id. Never shown as failed.
    case unknown(Doubt)

    /// Why nothing is known.
    public enum Doubt: String, Sendable, Hashable, CaseIterable {
        /// `U`, or a payment that was taken in and that a person has yet to confirm.
        case inProcess = "in-process"
        /// The word is about the call alone.
        case notSaid = "not-said"
        /// There is no such payment, or not yet: right after `pay` it may still be on its way.
        case notThere = "not-there"
        /// This copy of the request was refused, and an earlier one may have been taken.
        case thisCopy = "this-copy"
        /// It names another payment than was asked about, or none.
        case otherPayment = "other-payment"
        case otherAmount = "other-amount"
        /// A success without the amount, or without Alipay+'s number, that every success carries [D].
        case incomplete

        /// Whether it contradicts what was asked for, so that a person has to look.
        public var isContradiction: Bool { self == .otherPayment || self == .otherAmount || self == .incomplete }
    }
}

/// A payment as its acquirer asked for it: what a word about it is held against.
public struct AskedPayment: Sendable, Hashable {
    /// `paymentRequestId`.
    public var requestID: String
    public var amount: WireAmount
    /// `paymentId`, once Alipay+ has told it.
    public var number: String?

    public init(requestID: String, amount: WireAmount, number: String? = nil) {
        self.requestID = requestID
        self.amount = amount
        self.number = number
    }

    /// Of a result of the payment itself, not of a call.
    fileprivate func outcome(_ result: AlipayPlusResult, number told: String?, amount paid: WireAmount?) -> AlipayPlusOutcome {
        if let told, let number, told != number { return .unknown(.otherPayment) }
        if let paid, paid != amount { return .unknown(.otherAmount) }
        switch result.resultStatus {
        case .unknown: return .unknown(.inProcess)
        case .failure: return .refused(code: result.resultCode)
        case .success: return told == nil || paid == nil ? .unknown(.incomplete) : .done
        }
    }
}

extension AlipayPlusResult {
    /// Refusals of a call that say nothing of what an earlier copy of it came to.
    fileprivate static let callRefusals: Set<String> = Set(
        [
            invalidSignature, invalidClient, keyNotFound, accessDenied, repeatRequestInconsistent, paramIllegal, mediaTypeNotAcceptable,
            methodNotSupported, noInterfaceDef,
        ].map(\.resultCode))
}

extension NotifyPaymentRequest {
    /// What a notification proves about the payment that was asked for, once its signature was checked. One of another request id proves
    /// nothing.
    public func outcome(of asked: AskedPayment) -> AlipayPlusOutcome {
        guard ExactText.equal(paymentRequestId, asked.requestID) else { return .unknown(.otherPayment) }
        return asked.outcome(paymentResult, number: paymentId, amount: paymentAmount)
    }
}

extension InquiryPaymentAnswer {
    /// A signature covers the answer's path and time and not the question: only the id in it says whose payment it tells of. What the call
    /// itself came to decides nothing about the payment.
    public func outcome(of asked: AskedPayment) -> AlipayPlusOutcome {
        guard result.isSuccess, let paymentResult else {
            return .unknown(result.resultCode == AlipayPlusResult.orderNotExist.resultCode ? .notThere : .notSaid)
        }
        guard paymentRequestId.map({ ExactText.equal($0, asked.requestID) })
            ?? (asked.number != nil && ExactText.equal(paymentId, asked.number)) else {
            return .unknown(.otherPayment)
        }
        return asked.outcome(paymentResult, number: paymentId, amount: paymentAmount)
    }
}

extension PayAnswer {
    /// - Parameters:
    ///   - asked: The payment as it was asked for.
    ///   - scenario: Where a person has yet to confirm, `S` says that the order was taken in: a notification or an inquiry tells the rest
    ///     [I].
    ///   - isRepeated: Whether an earlier copy of the same request may have arrived.
    public func outcome(of asked: AskedPayment, by scenario: PaymentScenario, isRepeated: Bool) -> AlipayPlusOutcome {
        if result.isFailure, isRepeated, AlipayPlusResult.callRefusals.contains(result.resultCode) { return .unknown(.thisCopy) }
        let outcome = asked.outcome(result, number: paymentId, amount: paymentAmount)
        switch scenario {
        case .paymentCode, .automaticDebit: return outcome
        case .cashier, .orderCode, .entryCode:
            switch outcome {
            case .done, .unknown(.incomplete): return .unknown(.inProcess)
            case .refused, .unknown: return outcome
            }
        }
    }
}

extension RefundAnswer {
    /// `S` is final for the refund of this request id; where it names an amount, it has to be the one asked for.
    ///
    /// - Parameters:
    ///   - asked: The amount that was asked for.
    ///   - isRepeated: Whether an earlier copy of the same request may have arrived.
    public func outcome(of asked: WireAmount, isRepeated: Bool) -> AlipayPlusOutcome {
        switch result.resultStatus {
        case .unknown: .unknown(.inProcess)
        case .failure where isRepeated && AlipayPlusResult.callRefusals.contains(result.resultCode): .unknown(.thisCopy)
        case .failure: .refused(code: result.resultCode)
        case .success: refundAmount ?? asked == asked ? .done : .unknown(.otherAmount)
        }
    }
}
