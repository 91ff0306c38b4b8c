public import BillfoldMoney

/// A verified reply that is known to answer the caller's own message. A signature tells who speaks; only this tells what about.
///
/// What a reply means for a transaction can be read from here alone: a genuine reply to another message, replayed, settles
/// nothing.
@dynamicMemberLookup
public struct BoundReply<Reply: UnionPayMessage>: Sendable {
    public let reply: Reply
    let type: TransactionType

    public subscript<Value>(dynamicMember path: KeyPath<Reply, Value>) -> Value { reply[keyPath: path] }
}

/// Which copy of a frozen message a reply answers.
public enum MessageCopy: Sendable, Hashable {
    /// No other copy can have left.
    case first
    /// An earlier copy may have arrived, and what is said of this one says nothing about that.
    case repeated
}

/// What the reply to a message says became of it.
public enum MessageOutcome: Sendable, Hashable {
    /// UnionPay has it. Money has not necessarily moved.
    case accepted
    /// A reversal took effect, now or before.
    case undone
    /// Nothing came of it, and nothing will.
    case refused
    /// A reversal found nothing that it could take back: the deduct has not arrived, or is settled already.
    case nothingToUndo
    /// Money was taken and is disputed: for a person, and for the reconciliation file.
    case disputed
    /// Only a query tells.
    case unresolved
}

extension AcceptanceReply {
    /// Checks that the reply repeats the message's type and key; throws `other-message`.
    ///
    /// A gateway that could not read a message cannot repeat it either. A reply that names less is therefore believed where it
    /// reports a fault of the message itself, and nowhere else. [I]
    public func bound(to key: TransactionKey, _ type: TransactionType) throws(UnionPayError) -> BoundReply<Self> {
        let namesBoth = self.key != nil && transactionType != nil
        guard self.key ?? key == key, transactionType ?? type == type, namesBoth || code.class == .ourFault else {
            throw UnionPayError(code: .otherMessage, reason: "the reply does not repeat the message's type, number and time")
        }
        return BoundReply(reply: self, type: type)
    }
}

extension BoundReply<AcceptanceReply> {
    /// The one place that says what a reply code means for a message (apple-pay.md#reply-codes).
    public func outcome(of copy: MessageCopy) -> MessageOutcome {
        let code = reply.code.class
        switch (type, code) {
        // A reversal has no notification and no key of its own to ask by, so its answer is its outcome. [I]
        case (.reversal, .accepted), (.reversal, .alreadyDone): return .undone
        case (.reversal, .reference): return .nothingToUndo
        // Every copy of a reversal asks for the same thing, and a person looks at each refusal.
        case (.reversal, .ourFault), (.reversal, .setUp), (.reversal, .declined): return .refused
        case (_, .accepted): return .accepted
        case (_, .disputed): return .disputed
        case (_, .ourFault), (_, .setUp), (_, .declined): return copy == .first ? .refused : .unresolved
        // A consume refers to nothing; a refund or void that does not fit its original has no effect.
        case (.refund, .reference), (.void, .reference): return copy == .first ? .refused : .unresolved
        default: return .unresolved
        }
    }
}

extension QueryReply {
    /// Checks that the reply is about the transaction that was asked for; throws `other-message`. Only a reply that tells
    /// nothing of any transaction may leave it unnamed.
    public func bound(to key: TransactionKey) throws(UnionPayError) -> BoundReply<Self> {
        guard self.key ?? key == key, self.key != nil || original == nil else {
            throw UnionPayError(code: .otherMessage, reason: "the query's reply is about another transaction")
        }
        return BoundReply(reply: self, type: .query)
    }

    /// What the caller may now believe.
    public enum Verdict: Sendable, Hashable {
        /// The money moved.
        case paid
        /// The issuer or UnionPay refused, finally.
        case declined(ReplyCode)
        /// UnionPay knows no such transaction, or one that it did not perform. Before the time limit that can change: 34 right
        /// after sending means "not there yet". Past it, nothing can happen any more.
        case notPerformed(ReplyCode)
        /// UnionPay has it, or does not say: ask again, however late it is.
        case unknown(ReplyCode)
        /// Money was taken and is disputed: for a person, and for the reconciliation file.
        case disputed(ReplyCode)
        /// It speaks of another amount than was asked for: nothing is settled by that.
        case otherAmount
    }
}

extension BoundReply<QueryReply> {
    /// What the reply proves about a transaction of `amount` (apple-pay.md#query).
    ///
    /// The owner's rule calls everything but 00 and A6 a final failure once `payTimeout` and a margin have passed. It is followed
    /// for codes that deny the transaction, and not for those that say UnionPay has it (A1), works on it (03, 04, 05), or
    /// something unlisted: money that may still move is never called failed. [I]
    ///
    /// 00 needs no amount beside it: the reply is bound to a message that named one. A6 may stand for a part, so it proves the whole
    /// only with the amount. [I]
    ///
    /// 34 denies the transaction that the reply names. Without a name it may be the answer to any other query: it denies nothing. [I]
    public func verdict(of amount: Amount) -> QueryReply.Verdict {
        guard let original = reply.original else {
            let deniesIt = reply.code == .noSuchTransaction && reply.key != nil
            return deniesIt ? .notPerformed(reply.code) : .unknown(reply.code)
        }
        if original.code.meansPaidWhenOriginal {
            let settled = original.settlementAmount.flatMap { $0.currency == amount.currency ? $0 : nil }
            guard let told = original.amount ?? settled else { return original.code == .accepted ? .paid : .unknown(original.code) }
            return told == amount ? .paid : .otherAmount
        }
        switch original.code.class {
        case .declined: return .declined(original.code)
        case .disputed: return .disputed(original.code)
        case .retryLater, .ourFault, .setUp, .reference: return .notPerformed(original.code)
        default: return .unknown(original.code)
        }
    }
}

extension FileTransferReply {
    /// Checks that the reply is about the merchant's own file of the day that was asked for; throws `other-message`.
    public func bound(to merchant: MerchantID, _ day: SettlementDay) throws(UnionPayError) -> BoundReply<Self> {
        guard self.merchant ?? merchant == merchant, settlementDay ?? day == day,
            fileContent == nil || (self.merchant != nil && settlementDay != nil)
        else { throw UnionPayError(code: .otherMessage, reason: "the file is another merchant's or another day's") }
        return BoundReply(reply: self, type: .fileTransfer)
    }
}
