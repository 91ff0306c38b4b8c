import Foundation
import PassKit

/// Tells the rest of the app what changed in Wallet.
@MainActor
final class WalletWatcher {
    struct Change: Equatable, Sendable {
        var added: [String] = []
        var replaced: [String] = []
        var removed: [String] = []
    }

    private let library = PKPassLibrary()
    private let report: @MainActor (Change) -> Void
    private var token: (any NSObjectProtocol)?

    init(report: @escaping @MainActor (Change) -> Void) {
        self.report = report
        token = NotificationCenter.default.addObserver(
            forName: Notification.Name(PKPassLibraryNotificationName.PKPassLibraryDidChange.rawValue), object: library, queue: .main
        ) { [weak self] note in
            let change = Self.change(note.userInfo ?? [:])
            MainActor.assumeIsolated {
                self?.report(change)
            }
        }
    }

    func stop() {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
    }

    nonisolated private static func change(_ info: [AnyHashable: Any]) -> Change {
        let added = info[PKPassLibraryNotificationKey.addedPassesUserInfoKey] as? [PKPass]
        let replaced = info[PKPassLibraryNotificationKey.replacementPassesUserInfoKey] as? [PKPass]
        let removed = info[PKPassLibraryNotificationKey.removedPassInfosUserInfoKey.rawValue] as? [[String: Any]]
        return Change(
            added: (added ?? []).map(\.serialNumber), replaced: (replaced ?? []).map(\.serialNumber),
            removed: (removed ?? []).compactMap { $0[PKPassLibraryNotificationKey.serialNumberUserInfoKey.rawValue] as? String })
    }
}
