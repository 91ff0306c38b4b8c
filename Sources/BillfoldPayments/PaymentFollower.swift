package import BillfoldStorage

/// Follows changes of payments and of what undoes them with what they mean for others, in the write that stores the change.
package protocol PaymentFollower: Sendable {
    /// Hears of a payment that was changed, or that somebody has to look at.
    ///
    /// - Parameters:
    ///   - payment: As it is stored now.
    ///   - old: How it stood before.
    ///   - alarms: Those that were raised with the change.
    ///   - now: The time of the change.
    ///   - tx: The write. What is thrown here undoes the change.
    func changed(
        _ payment: Payment, from old: PaymentStanding, raising alarms: [PaymentTransition.Alarm], at now: Timestamp, in tx: any Transaction
    ) throws

    /// Hears of a refund, void or reversal whose state was changed; of its payment it hears afterwards.
    func changed(_ modification: Modification, at now: Timestamp, in tx: any Transaction) throws

    /// Hears that a person has dealt with an alarm. Whoever clears it calls this, in the same write.
    func settled(
        _ alarm: PaymentTransition.Alarm, of payment: TimeOrderedID, merchant: MerchantID, at now: Timestamp, in tx: any Transaction
    ) throws
}
