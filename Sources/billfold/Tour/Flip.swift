/// One message on its way between two parties, for a proxy that changes it.
struct ProxiedMessage: Sendable {
    enum Side: Sendable, Hashable {
        case request
        case answer
    }

    var method: String
    /// The request's target: path and query.
    var path: String
    var requestBody: [UInt8]
}

/// Which message of the tour is to be damaged: `--flip PARTY:MESSAGE`, named after the party that sends it.
///
/// The first such message is changed and all others pass, repetitions of the same one too: what a party mends by asking again
/// must still show. ``all`` has every message of the tour that has content, with a byte that carries meaning where the message
/// is not signed. What no flip is for:
/// - The bodies of the shop's acknowledgement (`ok`) and of 204 answers: a receiver reads the status, and that is what is changed.
/// - Fields for people: product pictures, labels in a trace's fields, `respMsg` beside a signed code. The signed ones are covered
///   by their signature, the others decide nothing.
/// - Redundancy: the self-signature of the root certificate, which no verifier needs. Another byte of the root is changed.
/// - Fresh random names (an entry's id in a trace report, an idempotency key): any other value is as good.
/// - The console's answer to a report: what it does not seem to have taken is sent again, and taken once.
/// - Readiness probes, which have a status and nothing else.
struct Flip: Sendable, Hashable {
    /// The two parties a proxy stands between, caller first. The customer and the operator are the tour itself.
    enum Link: String, Sendable, Hashable, CaseIterable {
        case customerToPhone
        case operatorToMerchant
        case operatorToUnionPay
        case operatorToConsole
        case phoneToShop
        case phoneToMerchant
        case phoneToConsole
        case shopToMerchant
        case shopToConsole
        case merchantToCertificates
        case merchantToUnionPay
        case merchantToConsole
        case unionPayToMerchant
        case unionPayToConsole

        case customerToDevice
        case ownerToBroker
        case deviceToBroker
        case appToIssuer
        case deviceToProcessor
        case operatorToProcessor
        case brokerToNetwork
        case networkToIssuer
        case issuerToNetwork
        case issuerToProcessor
        case issuerToBroker
        case bankToIssuer
        case operatorToIssuer
        case operatorToNetwork
        case deviceToConsole
        case brokerToConsole
        case networkToConsole
        case processorToConsole

        case payerToShop
        case payerToWallet
        /// The gateway's notifications, and what the shop's app asks its own server.
        case everyoneToShop
        case shopToGateway
        case walletToGateway
        case gatewayToWallet
        case payerToStories

        case guestToShop
        case guestToSheet
        /// The gateway's notifications, and what the merchant's app asks its server.
        case everyoneToAcquirer
        case acquirerToPlus
        case walletsToPlus
        /// The gateway's calls and the guest's browser, to the first of the wallets.
        case everyoneToFirstWallet
        case guestToStories

        case holderToPhone
        /// The super app's calls and pages, and the calls of the author and its server.
        case everyoneToWallet
        /// Mini programs' requests to their server.
        case superAppToAuthor
        case holderToStories

        /// The journey whose parties it stands between.
        var journey: Journey {
            switch self {
            case .customerToPhone, .operatorToMerchant, .operatorToUnionPay, .operatorToConsole, .phoneToShop, .phoneToMerchant,
                .phoneToConsole, .shopToMerchant, .shopToConsole, .merchantToCertificates, .merchantToUnionPay, .merchantToConsole,
                .unionPayToMerchant, .unionPayToConsole:
                .acceptance
            case .customerToDevice, .ownerToBroker, .deviceToBroker, .appToIssuer, .deviceToProcessor, .operatorToProcessor,
                .brokerToNetwork, .networkToIssuer, .issuerToNetwork,
                .issuerToProcessor, .issuerToBroker, .bankToIssuer, .operatorToIssuer, .operatorToNetwork, .deviceToConsole,
                .brokerToConsole, .networkToConsole, .processorToConsole:
                .provisioning
            case .payerToShop, .payerToWallet, .everyoneToShop, .shopToGateway, .walletToGateway, .gatewayToWallet, .payerToStories:
                .expressOrder
            case .guestToShop, .guestToSheet, .everyoneToAcquirer, .acquirerToPlus, .walletsToPlus, .everyoneToFirstWallet,
                .guestToStories:
                .paymentSheet
            case .holderToPhone, .everyoneToWallet, .superAppToAuthor, .holderToStories: .miniProgram
            }
        }
    }

    /// What the tour runs, each with parties of its own.
    enum Journey: String, Sendable, Hashable, CaseIterable {
        /// Accept Apple Pay, settle by UnionPay.
        case acceptance
        /// Provision a card into a phone wallet.
        case provisioning
        /// Pay an express order.
        case expressOrder
        /// Pay through a payment sheet of many wallets.
        case paymentSheet
        /// Run a mini program in a super app.
        case miniProgram

        var links: [Link] { Link.allCases.filter { $0.journey == self } }
    }

    /// Which byte is changed.
    enum Place: Sendable, Hashable {
        /// A letter some way behind the text: in the middle of base64, escaped for a form or not.
        case blob(after: String, distance: Int = 40)
        /// The first letter or digit behind the text, which stays what it is of the two.
        case value(after: String)
        /// The same in a request's target.
        case target(after: String)
        /// The first digit of an answer's status: 200 becomes 500.
        case status
    }

    let name: String
    let link: Link
    let side: ProxiedMessage.Side
    /// What is changed, for the report.
    let what: String
    let place: Place
    private let method: String
    private let pathEnding: String
    /// A field that the form must hold, so that messages on one path are told apart.
    private let formField: String?

    init(
        _ name: String, on link: Link, in side: ProxiedMessage.Side, method: String, path pathEnding: String, form: String? = nil,
        at place: Place, what: String
    ) {
        self.name = name
        self.link = link
        self.side = side
        self.method = method
        self.pathEnding = pathEnding
        formField = form
        self.place = place
        self.what = what
    }

    /// Refuses a name that no message has, naming the nearest.
    init(_ text: String) throws {
        guard let flip = Self.all.first(where: { $0.name == text }) else {
            throw CommandFailure(
                .usage, code: "unknown-message",
                reason: "'\(text)' is no message of the tour; the nearest are "
                    + NearestNames(of: text, among: Self.all.map(\.name)).first(3).joined(separator: ", ") + "; --flip list names all")
        }
        self = flip
    }

    /// Whether this is the message. A path ending with `*` leaves one last component open.
    func matches(_ message: ProxiedMessage) -> Bool {
        guard message.method == method, var path = message.path.split(separator: "?").first else { return false }
        if pathEnding.hasSuffix("*") {
            guard let slash = path.lastIndex(of: "/"), path[..<slash].hasSuffix(pathEnding.dropLast(2)) else { return false }
        } else {
            if path.last == "/", pathEnding.last != "/" { path.removeLast() }
            guard path.hasSuffix(pathEnding) else { return false }
        }
        guard let formField else { return true }
        return String(decoding: message.requestBody, as: UTF8.self).split(separator: "&").contains { $0 == formField }
    }

    /// The body with one byte changed, and its length kept; the same body where what is to be changed does not occur.
    func changed(body: [UInt8]) -> [UInt8] {
        switch place {
        case .blob(let anchor, let distance):
            guard let end = Self.end(of: anchor, in: body), end + distance < body.count else { return body }
            return Self.changed(body, from: end + distance, where: Self.isPastHexadecimal)
        case .value(let anchor):
            guard let end = Self.end(of: anchor, in: body) else { return body }
            return Self.changed(body, from: end, where: Self.isLetterOrDigit)
        case .target, .status: return body
        }
    }

    func changed(target: String) -> String {
        guard case .target(let anchor) = place, let end = Self.end(of: anchor, in: Array(target.utf8)) else { return target }
        return String(decoding: Self.changed(Array(target.utf8), from: end, where: Self.isLetterOrDigit), as: UTF8.self)
    }

    func changed(status: Int) -> Int { place == .status ? status % 100 + 500 : status }

    private static func changed(_ bytes: [UInt8], from start: Int, where isChangeable: (UInt8) -> Bool) -> [UInt8] {
        guard let position = bytes[start...].firstIndex(where: isChangeable) else { return bytes }
        var bytes = bytes
        switch bytes[position] {
        // The lowest bit keeps a digit a digit.
        case UInt8(ascii: "0")...UInt8(ascii: "9"): bytes[position] ^= 1
        case UInt8(ascii: "a"): bytes[position] = UInt8(ascii: "b")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): bytes[position] = UInt8(ascii: "a")
        case UInt8(ascii: "A"): bytes[position] = UInt8(ascii: "B")
        default: bytes[position] = UInt8(ascii: "A")
        }
        return bytes
    }

    /// A letter that no percent escape begins or holds.
    private static func isPastHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "G")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "g")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func end(of pattern: String, in bytes: [UInt8]) -> Int? {
        let pattern = Array(pattern.utf8)
        guard !pattern.isEmpty, bytes.count >= pattern.count else { return nil }
        return (0...(bytes.count - pattern.count)).first { bytes[$0..<($0 + pattern.count)].elementsEqual(pattern) }.map {
            $0 + pattern.count
        }
    }
}
