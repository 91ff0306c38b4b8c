import Foundation

// From PassKit's objects to the values on the screen.
extension PaymentSheet {
    func initialState() -> SheetState {
        var state = SheetState()
        state.currencyCode = request.currencyCode
        state.cards = cards.map { .init(id: $0.id, issuer: $0.issuer, network: $0.network.rawValue, suffix: $0.suffix) }
        state.selectedCard = cards.first?.id
        state.asksContact = !request.shippingFields.isEmpty
        state.asksAddress = request.shippingFields.contains(.postalAddress)
        state.contacts = contacts.map { contact in
            .init(
                id: contact.id, name: "\(contact.givenName) \(contact.familyName)",
                lines: lines(of: contact, fields: request.shippingFields))
        }
        state.selectedContact = contacts.first?.id
        state.supportsCouponCode = request.supportsCouponCode
        state.couponCode = request.couponCode ?? ""
        show(items: items, in: &state)
        show(shippingMethods: shippingMethods, in: &state)
        return state
    }

    func show(items: [PKPaymentSummaryItem], in state: inout SheetState) {
        state.items = items.map { .init(label: $0.label, amount: text($0.amount), isPending: $0.type == .pending) }
        state.merchant = items.last?.label ?? state.merchant
        state.total = items.last.map { text($0.amount) } ?? "0"
        state.totalIsPending = items.last?.type == .pending
    }

    func show(shippingMethods: [PKShippingMethod], in state: inout SheetState) {
        state.shippingMethods = shippingMethods.map {
            .init(id: $0.identifier ?? "", label: $0.label, detail: $0.detail ?? "", amount: text($0.amount))
        }
        let isOffered = shippingMethods.contains { ($0.identifier ?? "") == state.selectedShippingMethod }
        if !isOffered { state.selectedShippingMethod = shippingMethods.first.map { $0.identifier ?? "" } }
    }

    /// The total must be the exact sum of the other items; a pending item has no sum yet.
    func checkItems(_ items: [PKPaymentSummaryItem]) {
        guard items.count > 1, let total = items.last, !items.contains(where: { $0.type == .pending }) else { return }
        let sum = items.dropLast().reduce(Decimal(0)) { $0 + $1.amount.decimalValue }
        guard sum != total.amount.decimalValue else { return }
        device.record(.totalDiffers, "the items sum to \(sum), the total says \(total.amount.decimalValue)")
    }

    private func text(_ amount: NSDecimalNumber) -> String { amount.decimalValue.description }

    private func lines(of contact: SimulatedContact, fields: Set<PKContactField>) -> [String] {
        var lines: [String] = []
        if fields.contains(.postalAddress) {
            lines += [
                contact.street, [contact.subLocality, contact.city].filter { !$0.isEmpty }.joined(separator: ", "),
                [contact.state, contact.postalCode].filter { !$0.isEmpty }.joined(separator: " "), contact.country,
            ]
        }
        if fields.contains(.phoneNumber) { lines.append(contact.phoneNumber) }
        if fields.contains(.emailAddress) { lines.append(contact.emailAddress) }
        return lines.filter { !$0.isEmpty }
    }
}
