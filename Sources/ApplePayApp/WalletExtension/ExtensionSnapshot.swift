public import Foundation

/// What the bank's app leaves for its extension of Wallet, which has to answer before any server could: the cards that can be added, and
/// whether the customer has to log in first (provisioning.md#wallet-extensions [D]).
///
/// It holds what the add-pass screen shows of a card and no card number. Write it whenever the app learned something; remove it when the
/// customer logs out.
public struct ExtensionSnapshot: Sendable, Hashable, Codable {
    /// A card that can be added.
    public struct Card: Sendable, Hashable, Codable, Identifiable {
        public var id: String
        /// What Wallet calls it.
        public var title: String
        public var configuration: PassConfiguration

        public init(id: String, title: String, configuration: PassConfiguration) {
            self.id = id
            self.title = title
            self.configuration = configuration
        }
    }

    public var cards: [Card]
    /// Whether the customer has to log in, in the app's other extension, before a card is added.
    public var requiresAuthentication: Bool

    public init(cards: [Card], requiresAuthentication: Bool) {
        self.cards = cards
        self.requiresAuthentication = requiresAuthentication
    }

    /// Asks the issuer: active cards that are switched on, each with what the add-pass screen shows. Throws what the issuer's host threw: a
    /// snapshot of a part of the cards would hide the others.
    ///
    /// - Parameters:
    ///   - issuer: Within the customer's session.
    ///   - requiresAuthentication: Whether Wallet has the customer log in again.
    public init(from issuer: any IssuerServer, requiresAuthentication: Bool) async throws(ApplePayAppError) {
        var found: [Card] = []
        for card in try await issuer.cards() where card.status == "active" {
            guard try await issuer.eligibility(card: card.id) == .enabled else { continue }
            let configuration = try await issuer.configuration(card: card.id)
            found.append(Card(id: card.id, title: card.displayName, configuration: configuration))
        }
        self.init(cards: found, requiresAuthentication: requiresAuthentication)
    }
}

/// Where app and extension keep the snapshot: a file in the container of their app group.
public struct ExtensionSnapshotFile: Sendable {
    /// A file of more bytes was not written by this.
    private static let mostBytes = 1_048_576

    public let url: URL

    /// - Parameter url: In `FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`.
    public init(url: URL) { self.url = url }

    /// Replaces the file whole: an extension that reads meanwhile has the one before.
    public func write(_ snapshot: ExtensionSnapshot) throws {
        #if canImport(PassKit) && canImport(UIKit)
            // Readable while the device is locked, once it was unlocked: Wallet may look at any time.
            let options: Data.WritingOptions = [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
            let options: Data.WritingOptions = .atomic
        #endif
        try JSONEncoder().encode(snapshot).write(to: url, options: options)
    }

    /// Nil where the app has written none, or something that is none.
    public func read() -> ExtensionSnapshot? {
        guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= Self.mostBytes,
            let bytes = try? Data(contentsOf: url)
        else { return nil }
        return try? JSONDecoder().decode(ExtensionSnapshot.self, from: bytes)
    }

    /// When the customer logs out. Nothing to remove is no error.
    public func remove() throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try FileManager.default.removeItem(at: url)
    }
}
