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
    static func demo(at now: Int64) -> [BrokerAccount] { DemoDevice.Account.allCases.map { like($0, named: $0.rawValue, at: now) } }

    /// An account that was not seen before. One that is called after a demo account has its history.
    static func unseen(_ account: String, at now: Int64) -> BrokerAccount {
        DemoDevice.Account(historyOf: account).map { like($0, named: account, at: now) } ?? unknown(account, at: now)
    }

    private static func like(_ demo: DemoDevice.Account, named name: String, at now: Int64) -> BrokerAccount {
        var account = unknown(name, at: now)
        account.made = now - (demo == .fresh ? 3 : 2_000) * day
        account.phoneNumberSince = now - (demo == .fresh ? 3 : 1_000) * day
        account.fraudReports = demo == .risky ? 3 : 0
        guard demo != .fresh else { return account }
        for card in DemoCard.all where card.customer == "c-1" {
            account.putOnFile(card.range.network, card.suffix(replacement: 0), at: now)
        }
        return account
    }

    /// Whoever calls an account after a demo account adds cards of their own: those it has paid with for as long as the demo's.
    mutating func putOwnOnFile(_ network: String, _ suffix: String, at now: Int64) {
        guard let demo = DemoDevice.Account(historyOf: account), demo != .fresh, demo.rawValue != account else { return }
        putOnFile(network, suffix, at: now)
    }

    private mutating func putOnFile(_ network: String, _ suffix: String, at now: Int64) {
        guard !cardsOnFile.contains(where: { $0.network == network && $0.suffix == suffix }) else { return }
        cardsOnFile.append(CardOnFile(network: network, suffix: suffix, since: now - 700 * Self.day))
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
            DeviceKind.allCases.map { like(account, DemoDevice.secureElement($0, account.rawValue), at: now) }
        }
    }

    /// A device that was not seen before, in the hands of an account. That of one with a demo account's history is as old as the demo's.
    static func unseen(_ secureElement: String, of account: String, at now: Int64) -> BrokerDeviceRecord {
        guard let demo = DemoDevice.Account(historyOf: account), demo.rawValue != account else { return unknown(secureElement, at: now) }
        return like(demo, secureElement, at: now)
    }

    private static func like(_ demo: DemoDevice.Account, _ secureElement: String, at now: Int64) -> BrokerDeviceRecord {
        var device = unknown(secureElement, at: now)
        device.knownSince = now - (demo == .fresh ? 3 : 400) * BrokerAccount.day
        if demo == .moved { device.country = "PT" }
        return device
    }
}
