import Crypto
import Foundation
package import PassKitSimulator
import PaymentCrypto

/// The devices of the sandbox: each Apple account has a phone, a tablet, and a watch that is paired to the phone.
package enum DemoDevice {
    /// The accounts whose history the broker knows from the start. What they are known for is in ``BrokerAccount``.
    package enum Account: String, Sendable, Hashable, CaseIterable {
        /// Years of good history.
        case trusted = "trusted@example.com"
        /// The same, and travelling: the device is outside the account's country.
        case moved = "moved@example.com"
        /// Transactions were reported as fraud.
        case risky = "risky@example.com"
        /// Three days old.
        case fresh = "fresh@example.com"

        /// The account whose history another one has: that which it is called after, such as `trusted+mine@example.com`, or itself.
        init?(historyOf account: String) {
            guard let at = account.lastIndex(of: "@") else { return nil }
            self.init(rawValue: String(account[..<at].prefix { $0 != "+" }) + account[at...])
        }

        /// An account of somebody's own with this one's history.
        func own(_ name: String) -> String { rawValue.replacing("@", with: "+\(name)@", maxReplacements: 1) }
    }

    /// The secure element's identifier: 48 lower-case hexadecimal digits, the same after every start.
    package static func secureElement(_ kind: DeviceKind, _ account: String) -> String {
        let digest = Array(SHA256.hash(data: Data("secure element \(kind.rawValue) \(account)".utf8)))
        return Hexadecimal.encode([0x04] + digest.prefix(23))
    }

    /// As its owner named it.
    package static func name(_ kind: DeviceKind) -> String { "Demo \(kind.rawValue)" }

    /// Apple's name for the model; only the family is meaningful here.
    package static func productType(_ kind: DeviceKind) -> String {
        switch kind {
        case .phone: "iPhone15,2"
        case .tablet: "iPad14,1"
        case .watch: "Watch6,9"
        }
    }
}
