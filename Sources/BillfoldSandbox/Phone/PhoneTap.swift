/// What the customer does with the phone at the shop.
package typealias PhoneTap = DeviceTap<PhoneAction>

package enum PhoneAction: String, Sendable, Hashable, Codable, CaseIterable {
    case pay, setUp
    case selectCard, selectContact, selectShippingMethod, enterCouponCode, authorize, enterPIN, cancel
    /// From the outcome back to the shop.
    case `continue`
    /// Asks once more after an undecided payment, as the app does when it starts again.
    case askAgain
}
