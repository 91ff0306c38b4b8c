package import BillfoldPayments

extension Delivery.Verdict {
    /// What a failure to send means for the outbox: an attempt that had no part of the receiver's in it does not count.
    package init(after failure: SendFailure) {
        switch failure.code {
        case .nameUnanswered: self = .notBegun(.destination, after: .seconds(30))
        case .lookUpsBusy: self = .notBegun(.ours, after: .seconds(2))
        case .notBegun: self = .notBegun(.ours, after: .zero)
        default: self = .retry(after: nil)
        }
    }
}

extension DeliveryRecords.Reason {
    /// Which word a failure to send is told by.
    package init(_ failure: SendFailure) {
        switch failure.code {
        case .malformedAddress, .addressRefused, .nameUnanswered, .lookUpsBusy, .notBegun: self = .notSent
        case .answerTooLarge: self = .wrongAnswer
        default: self = .noAnswer
        }
    }
}
