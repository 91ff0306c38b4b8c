import ApplePay
import Foundation
import PassKitSimulator

/// What the broker holds about an Apple account. Scores and reasons follow from it; nothing here is a colour or a score.
///
/// As JSON of the control interface: times are milliseconds since 1970; unknown members are refused.
struct BrokerAccount: PartyDocument, StrictBody, Equatable {
    struct CardOnFile: Codable, Sendable, Equatable {
        var network: String
        var suffix: String
        var since: Int64
    }

    static let kind = "broker.account"
    static let members = [
        "account", "made", "launch", "country", "lastActivity", "settingsChanged", "fraudReports", "phoneNumberSince", "cardsOnFile",
        "cardholderNames",
    ]

    var account: String
    var made: Int64
    /// When the wallet came to the account's country.
    var launch: Int64
    /// Two letters.
    var country: String
    var lastActivity: Int64
    var settingsChanged: Int64?
    /// Transactions that their cardholder called fraud.
    var fraudReports: Int
    /// Since when its telephone number is the same.
    var phoneNumberSince: Int64
    var cardsOnFile: [CardOnFile]
    /// The names of cards that were added with this account.
    var cardholderNames: [String]

    var id: String { account }

    /// An account that nobody has told anything of: made now.
    static func unknown(_ account: String, at now: Int64) -> BrokerAccount {
        BrokerAccount(
            account: account, made: now, launch: now - 3_000 * day, country: "CN", lastActivity: now, fraudReports: 0,
            phoneNumberSince: now, cardsOnFile: [], cardholderNames: [])
    }

    static let day: Int64 = 86_400_000

    /// The demo accounts, as old as their name says at `now`.
    static func demo(at now: Int64) -> [BrokerAccount] {
        let cards = DemoCard.all.filter { $0.customer == "c-1" }.map {
            CardOnFile(network: $0.range.network, suffix: $0.suffix(replacement: 0), since: now - 700 * day)
        }
        return DemoDevice.Account.allCases.map { demo in
            var account = unknown(demo.rawValue, at: now)
            account.made = now - (demo == .fresh ? 3 : 2_000) * day
            account.phoneNumberSince = now - (demo == .fresh ? 3 : 1_000) * day
            account.cardsOnFile = demo == .fresh ? [] : cards
            account.fraudReports = demo == .risky ? 3 : 0
            return account
        }
    }
}

/// What the broker holds about a secure element.
struct BrokerDeviceRecord: PartyDocument, StrictBody, Equatable {
    struct LostMode: Codable, Sendable, Equatable {
        var begin: Int64
        var end: Int64?
    }

    /// One attempt to add a card.
    struct Attempt: Codable, Sendable, Equatable {
        var at: Int64
        /// Network and last digits: what the broker can tell of a card whose number is sealed for the network.
        var card: String
    }

    static let kind = "broker.device"
    static let members = ["secureElement", "knownSince", "country", "lostModes", "attempts"]

    var secureElement: String
    var knownSince: Int64
    /// Where it is: two letters.
    var country: String
    var lostModes: [LostMode]
    var attempts: [Attempt]

    var id: String { secureElement }

    static func unknown(_ secureElement: String, at now: Int64) -> BrokerDeviceRecord {
        BrokerDeviceRecord(secureElement: secureElement, knownSince: now, country: "CN", lostModes: [], attempts: [])
    }

    /// The demo accounts' devices. Those of `moved@` are in Portugal.
    static func demo(at now: Int64) -> [BrokerDeviceRecord] {
        DemoDevice.Account.allCases.flatMap { account in
            DeviceKind.allCases.map { kind in
                var device = unknown(DemoDevice.secureElement(kind, account.rawValue), at: now)
                device.knownSince = now - (account == .fresh ? 3 : 400) * BrokerAccount.day
                if account == .moved { device.country = "PT" }
                return device
            }
        }
    }
}
