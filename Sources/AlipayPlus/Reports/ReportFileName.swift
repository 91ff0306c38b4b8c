public import AlipayPlusValues

/// The files of a clearing cycle and of a settlement (alipay-plus.md#reports [D]).
public enum ReportKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The transactions, with a summary above them.
    case detail = "transactionItems"
    case summary = "summary"
    case fee = "feeItems"
    /// What is paid out, batch by batch.
    case settlement = "settlement"

    /// The folder of such files below the environment's root.
    public var folder: String { self == .settlement ? "settlement" : "clearing" }

    /// Where a participant's files of a day lie: `/v1/settlements/clearing/<participantId>/<day>`, in the sandbox `/sandbox/settlements/…`.
    /// - Parameters:
    ///   - day: The day of making, `yyyyMMdd`.
    ///   - participantId: The acquirer, or another party that is settled with.
    ///   - isSandbox: Which of the two environments.
    public func folder(of participantId: String, on day: String, isSandbox: Bool) -> String {
        "/\(isSandbox ? "sandbox" : "v1")/settlements/\(folder)/\(participantId)/\(day)"
    }
}

/// `<kind>_<participantId>_<settlementCurrency>_<batchId>_<participantAgreementId>_<seq>.csv`.
public struct ReportFileName: Sendable, Hashable, CustomStringConvertible {
    public var kind: ReportKind
    /// The acquirer's `acquirerId`.
    public var participantId: String
    /// Three letters.
    public var settlementCurrency: String
    /// Of the clearing, or in a settlement file that of the settlement.
    public var batchId: String
    public var participantAgreementId: String
    /// 0 to 999.
    public var sequence: Int

    /// `malformed-report` unless every part is letters and digits, the currency one, and the sequence in range.
    public init(
        _ kind: ReportKind, participantId: String, settlementCurrency: String, batchId: String, participantAgreementId: String,
        sequence: Int = 0
    ) throws(AlipayPlusError) {
        let isPlain = [participantId, batchId, participantAgreementId].allSatisfy { part in
            !part.isEmpty && part.utf8.count <= 64 && part.utf8.allSatisfy(Self.isPlain)
        }
        guard isPlain, (try? WireCurrency(settlementCurrency)) != nil, (0...999).contains(sequence) else { throw Self.malformed }
        self.kind = kind
        self.participantId = participantId
        self.settlementCurrency = settlementCurrency
        self.batchId = batchId
        self.participantAgreementId = participantAgreementId
        self.sequence = sequence
    }

    /// `malformed-report`.
    public init(_ text: String) throws(AlipayPlusError) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, let kind = ReportKind(rawValue: parts[0]), parts[5].hasSuffix(".csv"), parts[5].utf8.count == 7,
            let sequence = Int(parts[5].prefix(3))
        else { throw Self.malformed }
        try self.init(
            kind, participantId: parts[1], settlementCurrency: parts[2], batchId: parts[3], participantAgreementId: parts[4],
            sequence: sequence)
        guard description == text else { throw Self.malformed }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
    }

    private static let malformed = AlipayPlusError(
        code: .malformedReport, reason: "a report is named <kind>_<participant>_<currency>_<batch>_<agreement>_<000-999>.csv")

    public var description: String {
        let number = String(sequence)
        return "\(kind.rawValue)_\(participantId)_\(settlementCurrency)_\(batchId)_\(participantAgreementId)_"
            + String(repeating: "0", count: 3 - number.count) + number + ".csv"
    }

    /// Where it lies: `/v1/settlements/clearing/<participantId>/<day>/<name>`, in the sandbox `/sandbox/settlements/…`.
    /// - Parameters:
    ///   - day: The day of making, `yyyyMMdd`.
    ///   - isSandbox: Which of the two environments.
    public func path(on day: String, isSandbox: Bool) -> String {
        "\(kind.folder(of: participantId, on: day, isSandbox: isSandbox))/\(self)"
    }
}

/// A clearing cycle: one day, 00:00:00 to 23:59:59 in UTC+8.
public struct ClearingCycle: Sendable, Hashable {
    /// `yyyyMMdd`.
    public let day: String
    public let start: AlipayPlusTime

    /// The cycle in which a moment lies.
    public init(of time: AlipayPlusTime) {
        day = time.day
        start = time.startOfDay
    }

    /// `malformed-report` for no day.
    public init(day: String) throws(AlipayPlusError) {
        guard let start = AlipayPlusTime(day: day) else {
            throw AlipayPlusError(code: .malformedReport, reason: "a cycle is a day yyyyMMdd")
        }
        self.day = day
        self.start = start
    }

    /// The first moment of the next cycle.
    public var end: AlipayPlusTime { start.adding(seconds: 86_400) }
    /// From when its files are there: 08:00 of the next day.
    public var filesReady: AlipayPlusTime { end.adding(seconds: 8 * 3_600) }
    /// Until when they are kept: seven days [D], counted from ``filesReady`` [I].
    public var filesKeptUntil: AlipayPlusTime { filesReady.adding(seconds: 7 * 86_400) }

    /// Whether a moment lies in the cycle: its start does, its end does not.
    public func contains(_ time: AlipayPlusTime) -> Bool { time >= start && time < end }
}
