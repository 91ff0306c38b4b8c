/// What the fraud team holds or refused is not let in by asking again: networks name each attempt anew, so a card's other tokens count.
///
/// While a review of the card waits, every request for the card is for a person to look at. A refusal is final in its secure element,
/// and another secure element of the card takes a person: a stranger's attempt must not lock the cardholder's own phone out. A review
/// whose token went before anybody decided, as when the customer removed the pass, counts as if it waited. How long the last two count
/// is the bank's own choice [I].
package struct ReviewRule: Sendable {
    /// How long a refusal, or a review that nobody decided, counts for the card. 0 makes each count for its own token alone.
    package var days: Int

    package init(days: Int = usualDays) { self.days = days }

    package static let usualDays = 30
}
