/// What a network's list of tokens and ours say differently.
package struct TokenDifference: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// We know the token and the network does not have it.
        case oursOnly = "ours-only"
        /// The network has it and we were never told.
        case theirsOnly = "theirs-only"
        case stateDiffers = "state-differs"
        case suspendersDiffer = "suspenders-differ"
        case accountDiffers = "account-differs"
        case deviceDiffers = "device-differs"
    }

    package var kind: Kind
    package var token: String
    package var ours: String
    package var theirs: String
}

/// One token as a list has it.
package struct BookedToken: Sendable, Hashable {
    package var reference: String
    package var primaryAccountIdentifier: String
    package var snapshot: TokenSnapshot
    package var deviceAccountSuffix: String?
    package var secureElement: String?

    package init(
        reference: String, primaryAccountIdentifier: String, snapshot: TokenSnapshot, deviceAccountSuffix: String?, secureElement: String?
    ) {
        self.reference = reference
        self.primaryAccountIdentifier = primaryAccountIdentifier
        self.snapshot = snapshot
        self.deviceAccountSuffix = deviceAccountSuffix
        self.secureElement = secureElement
    }
}

extension StoredToken {
    var booked: BookedToken {
        BookedToken(
            reference: reference, primaryAccountIdentifier: primaryAccountIdentifier, snapshot: snapshot,
            deviceAccountSuffix: deviceAccountSuffix, secureElement: device?.secureElement)
    }
}

/// Compares our books with a network's.
package enum TokenBooks {
    /// Differences in the order of the references; nothing where the books agree. What one side does not tell is no difference.
    package static func differences(ours: [BookedToken], theirs: [BookedToken]) -> [TokenDifference] {
        let left = Dictionary(ours.map { ($0.reference, $0) }) { first, _ in first }
        let right = Dictionary(theirs.map { ($0.reference, $0) }) { first, _ in first }
        return Set(left.keys).union(right.keys).sorted().flatMap { reference -> [TokenDifference] in
            switch (left[reference], right[reference]) {
            case (let mine?, let other?): differences(mine, other)
            case (let mine?, nil): [.init(kind: .oursOnly, token: reference, ours: text(mine.snapshot), theirs: "")]
            case (nil, let other?): [.init(kind: .theirsOnly, token: reference, ours: "", theirs: text(other.snapshot))]
            case (nil, nil): []
            }
        }
    }

    private static func differences(_ mine: BookedToken, _ other: BookedToken) -> [TokenDifference] {
        var found: [TokenDifference] = []
        func compare(_ kind: TokenDifference.Kind, ours: String?, theirs: String?) {
            guard let ours, let theirs, ours != theirs else { return }
            found.append(TokenDifference(kind: kind, token: mine.reference, ours: ours, theirs: theirs))
        }
        if mine.snapshot.state != other.snapshot.state {
            compare(.stateDiffers, ours: text(mine.snapshot), theirs: text(other.snapshot))
        } else {
            compare(.suspendersDiffer, ours: names(mine.snapshot), theirs: names(other.snapshot))
        }
        compare(.accountDiffers, ours: mine.primaryAccountIdentifier, theirs: other.primaryAccountIdentifier)
        compare(.deviceDiffers, ours: mine.secureElement, theirs: other.secureElement)
        compare(.deviceDiffers, ours: mine.deviceAccountSuffix, theirs: other.deviceAccountSuffix)
        return found
    }

    private static func names(_ snapshot: TokenSnapshot) -> String { snapshot.suspendedBy.sorted().map(\.rawValue).joined(separator: " ") }
    private static func text(_ snapshot: TokenSnapshot) -> String { "\(snapshot.state.rawValue) (\(snapshot.sequence))" }
}
