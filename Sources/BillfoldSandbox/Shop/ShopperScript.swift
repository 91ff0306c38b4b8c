import PassKitSimulator

/// What a scripted customer does: goods, card, address, shipping, coupon, authorise.
package struct ShopperScript: Sendable, Hashable {
    package var model: PhoneModel
    package var lines: [CartLine]
    package var card: String?
    package var contact: String?
    package var shippingMethod: String?
    package var couponCode: String?
    /// Typed when the issuer asks for it; without one the customer gives up there.
    package var pin: String?

    package init(
        model: PhoneModel = .ready, lines: [CartLine], card: String? = nil, contact: String? = nil, shippingMethod: String? = nil,
        couponCode: String? = nil, pin: String? = nil
    ) {
        self.model = model
        self.lines = lines
        self.card = card
        self.contact = contact
        self.shippingMethod = shippingMethod
        self.couponCode = couponCode
        self.pin = pin
    }

    /// What came of it.
    package struct Result: Sendable, Hashable {
        /// The last screen.
        package var screen: PhoneScreen
        /// The total as the customer authorised it, in major units; nil when it never came to that.
        package var authorizedTotal: String?
        /// Every place and sheet phase in the order seen, without repetitions in a row.
        package var steps: [String]
    }

    /// Plays the script to its end. Throws a refusal, or `script-stuck` when the phone shows nothing new to act on.
    package func run(on phone: any ShoppersPhone) async throws -> Result {
        var screen = try await phone.screen(after: nil)
        guard screen.button == "pay" else { return Result(screen: screen, authorizedTotal: nil, steps: [screen.step]) }
        var steps = [screen.step]
        func note(_ next: PhoneScreen) {
            screen = next
            if steps.last != next.step { steps.append(next.step) }
        }
        func until(_ isReached: (PhoneScreen) -> Bool) async throws {
            // A checkout makes a few dozen screens; hundreds mean that it goes in circles.
            for _ in 0..<500 where !isReached(screen) { note(try await phone.screen(after: screen.revision)) }
            guard isReached(screen) else { throw SandboxRefusal(code: "script-stuck", reason: "the phone stayed at \(screen.step)") }
        }

        note(try await phone.tap(PhoneTap(.pay)))
        try await until { $0.isSheetReady || $0.place == .outcome }
        for tap in choices {
            guard screen.isSheetReady else { break }
            if screen.hasChosen(tap) { continue }
            let before = screen.revision
            note(try await phone.tap(tap))
            try await until { ($0.revision > before && $0.isSheetReady) || $0.place == .outcome }
        }
        var authorizedTotal: String?
        if screen.isSheetReady {
            guard screen.sheet?.problems.isEmpty ?? true else {
                note(try await phone.tap(PhoneTap(.cancel)))
                try await until { $0.place == .outcome }
                return Result(screen: screen, authorizedTotal: nil, steps: steps)
            }
            authorizedTotal = screen.sheet?.total
            let before = screen.revision
            note(try await phone.tap(PhoneTap(.authorize)))
            try await until { $0.place == .outcome || $0.sheet?.phase == .enteringPIN || ($0.revision > before && $0.isSheetReady) }
            if screen.sheet?.phase == .enteringPIN, screen.place == .sheet {
                note(try await phone.tap(pin.map { PhoneTap(.enterPIN, $0) } ?? PhoneTap(.cancel)))
                try await until { $0.place == .outcome }
            }
        }
        return Result(screen: screen, authorizedTotal: authorizedTotal, steps: steps)
    }

    private var choices: [PhoneTap] {
        [
            card.map { PhoneTap(.selectCard, $0) }, contact.map { PhoneTap(.selectContact, $0) },
            shippingMethod.map { PhoneTap(.selectShippingMethod, $0) }, couponCode.map { PhoneTap(.enterCouponCode, $0) },
        ].compactMap(\.self)
    }
}

/// The phone in the scripted customer's hand: in this process, or across HTTP.
package protocol ShoppersPhone: Sendable {
    /// The present screen, or with a revision the first one after it.
    func screen(after revision: Int?) async throws -> PhoneScreen
    /// Taps and returns the screen right afterwards.
    func tap(_ tap: PhoneTap) async throws -> PhoneScreen
}

extension PhoneSession: ShoppersPhone {
    package func screen(after revision: Int?) async throws -> PhoneScreen {
        guard let revision else { return screen }
        guard let newer = await nextScreen(after: revision) else {
            throw SandboxRefusal(code: "session-closed", reason: "the phone was put away", status: 410)
        }
        return newer
    }

    package func tap(_ tap: PhoneTap) async throws -> PhoneScreen {
        try perform(tap)
        return screen
    }
}

extension PhoneScreen {
    /// Whether the sheet shows this choice already, so that the tap would change nothing.
    func hasChosen(_ tap: PhoneTap) -> Bool {
        switch tap.action {
        case .selectCard: sheet?.selectedCard == tap.value
        case .selectContact: sheet?.selectedContact == tap.value
        case .selectShippingMethod: sheet?.selectedShippingMethod == tap.value
        default: false
        }
    }

    var isSheetReady: Bool { place == .sheet && sheet?.phase == .ready }

    /// One word for the place, or the phase of the sheet.
    var step: String { place == .sheet ? "sheet-\(sheet?.phase.rawValue ?? "")" : place.rawValue }
}
