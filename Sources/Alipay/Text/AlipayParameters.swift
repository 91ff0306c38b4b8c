import BillfoldJSON
import PaymentCrypto

/// Parameters of a form or query: unique keys in their order, with the bytes that the percent-decoding gives.
///
/// What is signed are bytes, so nothing here is text before somebody asks for it.
public struct AlipayParameters: Sendable, Hashable {
    /// One parameter, percent-decoded.
    public struct Entry: Sendable, Hashable {
        public let name: String
        public let value: [UInt8]
    }

    /// The most bytes of a form that are read.
    public static let maximumLength = 262_144
    /// The most pairs of a form that are read.
    public static let maximumCount = 512

    /// The serial number of the gateway's certificate, which clients leave out of what is signed (alipay.md#notification-signature) [O].
    static let gatewaySerial = "alipay_cert_sn"

    public private(set) var entries: [Entry] = []
    public var charset: AlipayCharset
    /// The keys, from when there are more than real messages have.
    private var names: Set<ExactText> = []

    /// So many keys are compared one by one, which is quicker than a table; more would cost a stranger little and us the square of it.
    private static let fewKeys = 40

    public init(charset: AlipayCharset = .utf8) { self.charset = charset }

    /// Takes texts in the given order; `duplicate-key`, `unencodable-text`.
    public init(_ texts: [(name: String, value: String)], charset: AlipayCharset = .utf8) throws(AlipayError) {
        self.init(charset: charset)
        for (name, value) in texts { try append(name, charset.encode(value)) }
    }

    /// Reads `application/x-www-form-urlencoded` strictly: every pair has a `=` and a key of letters, digits, `_`, `-` or `.`;
    /// keys are unique; escapes are two hexadecimal digits; `+` is a space. Empty bytes are no parameters.
    public init(form: [UInt8], charset: AlipayCharset = .utf8) throws(AlipayError) {
        self.init(charset: charset)
        try append(form: form[...])
    }

    /// Reads a request's as ``init(form:charset:)`` does, but that a key may stand there twice with the same bytes: the Java SDK writes
    /// `sign` into each order string twice (alipay.md#modern-signature) [O].
    package init(request: [UInt8]) throws(AlipayError) {
        self.init()
        try append(form: request[...], mayRepeat: true)
    }

    /// Reads the query or the body of a call as ``init(request:)`` does, and as servers of forms read it: nothing between two `&` is no
    /// parameter, and blanks and line ends behind the last one are a tool's, such as those of a file that was posted
    /// (alipay.md#request-charset) [I].
    package init(call form: [UInt8]) throws(AlipayError) {
        self.init()
        let behind = form.reversed().prefix { [0x20, 0x09, 0x0D, 0x0A].contains($0) }.count
        try append(form: form.dropLast(behind), mayRepeat: true, mayHaveGaps: true)
    }

    private mutating func append(
        form: ArraySlice<UInt8>, mayRepeat: Bool = false, mayHaveGaps: Bool = false
    ) throws(AlipayError) {
        guard form.count <= Self.maximumLength else {
            throw AlipayError(code: .tooLarge, reason: "\(form.count) bytes of parameters, at most \(Self.maximumLength) are read")
        }
        if form.isEmpty { return }
        for pair in form.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumCount, omittingEmptySubsequences: false) {
            if pair.isEmpty, mayHaveGaps { continue }
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
                throw AlipayError(code: .malformed, reason: "a pair has no = at byte \(pair.startIndex)")
            }
            let name = pair[..<equals]
            guard !name.isEmpty, name.count <= 64, name.allSatisfy(PercentEncoding.isNameByte) else {
                throw AlipayError(code: .malformed, reason: "no key at byte \(pair.startIndex)")
            }
            guard let value = PercentEncoding.decode(pair[(equals + 1)...], plusIsSpace: true) else {
                throw AlipayError(code: .malformed, reason: "a percent sign without two hexadecimal digits behind byte \(equals)")
            }
            try append(String(decoding: name, as: UTF8.self), value, mayRepeat: mayRepeat)
        }
    }

    mutating func append(_ name: String, _ value: [UInt8], mayRepeat: Bool = false) throws(AlipayError) {
        if entries.count == Self.fewKeys { names = Set(entries.map { ExactText($0.name) }) }
        let isKnown =
            entries.count < Self.fewKeys ? entries.contains { ExactText.equal($0.name, name) } : !names.insert(ExactText(name)).inserted
        guard !isKnown else {
            if mayRepeat, bytes(name) == value { return }
            throw AlipayError(code: .duplicateKey, reason: "the key \(AlipayError.quoted(name)) occurs twice")
        }
        guard entries.count < Self.maximumCount else {
            throw AlipayError(code: .tooLarge, reason: "more than \(Self.maximumCount) parameters")
        }
        entries.append(Entry(name: name, value: value))
    }

    /// A query's parameters and behind them a body's. What stands in both with the same bytes counts once, with others it is refused: but
    /// for two names of one charset, of which the one that stands beside the signature counts.
    func joined(with body: AlipayParameters) throws(AlipayError) -> AlipayParameters {
        var joined = self
        let known = body.entries.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: entries.map { (ExactText($0.name), $0.value) })
        for entry in body.entries {
            guard let value = known[ExactText(entry.name)] else {
                try joined.append(entry.name, entry.value)
                continue
            }
            guard value != entry.value else { continue }
            let isCharset = entry.name == "charset" || entry.name == "_input_charset"
            guard isCharset, let named = Self.charset(value), named == Self.charset(entry.value) else {
                throw AlipayError(
                    code: isCharset ? .unsupported : .duplicateKey,
                    reason: "\(AlipayError.quoted(entry.name)) has one value in the address and another in the body")
            }
            guard body.bytes("sign") != nil, let place = joined.entries.firstIndex(where: { $0.name == entry.name }) else { continue }
            joined.entries[place] = entry
        }
        return joined
    }

    private static func charset(_ name: [UInt8]) -> AlipayCharset? { AlipayCharset(name: String(decoding: name, as: UTF8.self)) }

    /// The value as it was decoded, before any charset; nil when it is absent.
    public func bytes(_ name: String) -> [UInt8]? { entries.first { ExactText.equal($0.name, name) }?.value }

    /// The value as text; nil when it is absent, or no text in ``charset``.
    public subscript(name: String) -> String? { bytes(name).flatMap { try? charset.decode($0) } }

    /// All values as texts; `unencodable-text` when one is none.
    public func texts() throws(AlipayError) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        for entry in entries { result.append((entry.name, try charset.decode(entry.value))) }
        return result
    }

    /// The text that a signature covers: pairs sorted by the bytes of their keys and joined as `k=v&k=v`, values not encoded, without
    /// those that are empty and without `excluded`.
    public func sortedText(without excluded: Set<String>) -> [UInt8] {
        var covered: [Int] = []
        covered.reserveCapacity(entries.count)
        var count = 0
        for (place, entry) in entries.enumerated() where !entry.value.isEmpty && !excluded.contains(entry.name) {
            covered.append(place)
            count += entry.name.utf8.count + entry.value.count + 2
        }
        covered.sort { ExactText.precedes(entries[$0].name, entries[$1].name) }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        for place in covered {
            if !result.isEmpty { result.append(UInt8(ascii: "&")) }
            result += entries[place].name.utf8
            result.append(UInt8(ascii: "="))
            result += entries[place].value
        }
        return result
    }

    /// The pairs as a form or query, in their order: every value percent-encoded, a space as `+`.
    public var form: String {
        // Names are letters of a form already; a value grows to three letters for each byte at most.
        let longest = entries.reduce(0) { $0 + $1.name.utf8.count + 3 * $1.value.count + 2 }
        return String(unsafeUninitializedCapacity: longest) { text in
            var count = 0
            func put(_ bytes: UnsafeBufferPointer<UInt8>, isEncoded: Bool) {
                let rest = UnsafeMutableBufferPointer(rebasing: text[count...])
                count += isEncoded ? PercentEncoding.encode(bytes, into: rest, spaceAsPlus: true) : rest.update(fromContentsOf: bytes)
            }
            func put(_ letter: UInt8) {
                text[count] = letter
                count += 1
            }
            for entry in entries {
                if count > 0 { put(UInt8(ascii: "&")) }
                var name = entry.name
                name.withUTF8 { put($0, isEncoded: false) }
                put(UInt8(ascii: "="))
                entry.value.withUnsafeBufferPointer { put($0, isEncoded: true) }
            }
            return count
        }
    }

    /// Refuses with `invalid-parameter` a value that reads as further pairs in ``sortedText(without:)``.
    func requirePlainPairs() throws(AlipayError) {
        guard let ambiguous = entries.first(where: { PairText.readsAsPairs($0.value) }) else { return }
        throw AlipayError(
            code: .invalidParameter, reason: "\(ambiguous.name) holds & and =: signed as it is, it would read as further parameters")
    }

    func required(_ name: String) throws(AlipayError) -> String {
        guard let bytes = bytes(name), !bytes.isEmpty else {
            throw AlipayError(code: .missingParameter, reason: "\(name) is missing")
        }
        return try charset.decode(bytes)
    }

    /// The parameters as a gateway sees them that read the bytes in one charset and was then told another: text that is not ASCII
    /// comes out different, and its signature does not fit.
    func rebased(from transport: AlipayCharset) -> AlipayParameters {
        guard transport != charset else { return self }
        var seen = self
        seen.entries = entries.map { entry in
            // What the charset cannot carry can only fail to verify.
            Entry(name: entry.name, value: (try? charset.encode(transport.display(entry.value))) ?? entry.value)
        }
        return seen
    }
}
