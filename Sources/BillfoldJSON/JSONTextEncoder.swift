import Foundation

/// Writes a value's compact JSON while the value encodes itself, without a tree in between.
///
/// One encoder serves all levels: what is inside is written before the level around it goes on. A nested container may be filled later
/// than that, and a super-encoder is nearly always; such values are left to ``JSONTreeEncoder``.
final class JSONTextEncoder: Encoder {
    private enum Kind {
        case nothing, single, object, array
    }

    private struct Member {
        var key: String
        var range: Range<Int>
    }

    /// A value that encodes itself, or a nested container that was handed out and not yet left.
    private struct Level {
        /// What tells its containers from those of other levels.
        let number: Int
        let isNested: Bool
        /// The member's key and where it begins, of a nested container in an object.
        var member: (key: String, start: Int)?
        var kind = Kind.nothing
        /// Where its text begins.
        let start: Int
        /// Where its members begin in ``members``.
        let firstMember: Int
        var isSorted = true
        var count = 0
    }

    private let sortsKeys: Bool
    /// Whether numbers and booleans are written as texts.
    private let writesTexts: Bool
    private var printer = JSONPrinter(style: .compact)
    /// The innermost.
    private var level: Level
    /// Those around it, the innermost last.
    private var outer: [Level] = []
    private var numbers = 0
    /// Those of all levels, the outermost first; none where keys are not sorted.
    private var members: [Member] = []
    /// Where something is asked of a level that was left, or of one that this cannot fill.
    private var needsTree = false

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init(sortsKeys: Bool, writesTexts: Bool) {
        (self.sortsKeys, self.writesTexts) = (sortsKeys, writesTexts)
        level = Level(number: 0, isNested: false, start: 0, firstMember: 0)
        if sortsKeys { members.reserveCapacity(32) }
        outer.reserveCapacity(8)
    }

    /// Nil for a value that needs a tree.
    static func text(of value: some Encodable, sortsKeys: Bool, scalarsAsTexts writesTexts: Bool) throws -> [UInt8]? {
        let encoder = JSONTextEncoder(sortsKeys: sortsKeys, writesTexts: writesTexts)
        do { try encoder.write(value) } catch { if !encoder.needsTree { throw error } }
        return encoder.needsTree ? nil : encoder.printer.output.array
    }

    private func write<Value: Encodable>(_ value: Value) throws {
        if let text = JSONScalar.text(value) { return printer.quote(text) }
        enter()
        let depth = outer.count
        try value.encode(to: self)
        while outer.count >= depth { leave() }
    }

    private func enter(as member: (key: String, start: Int)? = nil, isNested: Bool = false) {
        numbers += 1
        outer.append(level)
        level = Level(number: numbers, isNested: isNested, member: member, start: printer.output.count, firstMember: members.count)
    }

    private func leave() {
        switch level.kind {
        case .single: break
        // A value that encodes nothing is an empty object, as Foundation has it for structures without members.
        case .nothing: printer.output.append("{}" as StaticString)
        case .array: printer.output.append(UInt8(ascii: "]"))
        case .object:
            if !level.isSorted {
                let sorted = members[level.firstMember...].sorted { ExactText.precedes($0.key, $1.key) }
                printer.output.arrange(from: level.start + 1, sorted.lazy.map(\.range))
            }
            members.removeSubrange(level.firstMember...)
            printer.output.append(UInt8(ascii: "}"))
        }
        if let (key, start) = level.member { note(key, from: start) }
        level = outer.removeLast()
    }

    /// Leaves nested containers until the one of this number is the innermost level.
    private func reach(_ number: Int) -> Bool {
        while level.number != number {
            guard level.isNested, outer.contains(where: { $0.number == number }) else {
                needsTree = true
                return false
            }
            leave()
        }
        return true
    }

    /// A value that turns out to be of another kind than it was so far begins anew. Returns the level's number.
    private func begin(_ kind: Kind) -> Int {
        while level.isNested { leave() }
        guard level.kind != kind || kind == .single else { return level.number }
        if level.kind != .nothing {
            printer.output.removeAll(from: level.start)
            members.removeSubrange(level.firstMember...)
            (level.isSorted, level.count) = (true, 0)
        }
        open(kind)
        return level.number
    }

    private func open(_ kind: Kind) {
        level.kind = kind
        switch kind {
        case .object: printer.output.append(UInt8(ascii: "{"))
        case .array: printer.output.append(UInt8(ascii: "["))
        case .single, .nothing: break
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members<Key>(encoder: self, level: begin(.object)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(encoder: self, level: begin(.array)) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    /// Writes what stands before a member's value, and returns where the member begins.
    private func start(_ name: String) -> Int {
        if sortsKeys, level.count > 0, let last = members.last, ExactText.precedes(name, last.key) { level.isSorted = false }
        separate()
        let start = printer.output.count
        printer.quote(name)
        printer.output.append(UInt8(ascii: ":"))
        return start
    }

    private func note(_ name: String, from start: Int) {
        if sortsKeys { members.append(Member(key: name, range: start..<printer.output.count)) }
    }

    private func write(number: String) {
        if writesTexts { printer.quote(number) } else { printer.output.append(number) }
    }

    private func write(_ flag: Bool) {
        let text: StaticString =
            switch (flag, writesTexts) {
            case (true, false): "true"
            case (true, true): "\"true\""
            case (false, false): "false"
            case (false, true): "\"false\""
            }
        printer.output.append(text)
    }

    private func count(of number: Int) -> Int {
        if level.number == number { return level.count }
        if let around = outer.last(where: { $0.number == number }) { return around.count }
        needsTree = true
        return 0
    }

    private func separate() {
        if level.count > 0 { printer.output.append(UInt8(ascii: ",")) }
        level.count += 1
    }

    private func addScalar(_ key: some CodingKey, to number: Int, _ write: () -> Void) {
        guard reach(number) else { return }
        let name = key.stringValue
        let start = start(name)
        write()
        note(name, from: start)
    }

    private func add(_ key: some CodingKey, to number: Int, _ write: () throws -> Void) throws {
        guard reach(number) else { return }
        try undone {
            let name = key.stringValue
            let start = start(name)
            try write()
            note(name, from: start)
        }
    }

    private func addScalar(to number: Int, _ write: () -> Void) {
        guard reach(number) else { return }
        separate()
        write()
    }

    private func add(to number: Int, _ write: () throws -> Void) throws {
        guard reach(number) else { return }
        try undone {
            separate()
            try write()
        }
    }

    /// Takes back what a body has written that throws: the type that adds may go on without it.
    private func undone(_ body: () throws -> Void) rethrows {
        let (before, depth, place, held) = (level, outer.count, printer.output.count, members.count)
        do { try body() } catch {
            printer.output.removeAll(from: place)
            members.removeSubrange(held...)
            outer.removeSubrange(depth...)
            level = before
            throw error
        }
    }

    private func set(_ write: () throws -> Void) rethrows {
        _ = begin(.single)
        do { try undone(write) } catch {
            // What stood here before is gone, and the type may go on without what it failed to write.
            needsTree = true
            throw error
        }
    }

    /// Enters a nested container, and returns its number; nil where its level was left.
    private func nest(_ kind: Kind, _ name: String?, in number: Int) -> Int? {
        guard reach(number) else { return nil }
        if let name {
            enter(as: (name, start(name)), isNested: true)
        } else {
            separate()
            enter(isNested: true)
        }
        open(kind)
        return level.number
    }

    private func nested<Key: CodingKey>(_ type: Key.Type, _ name: String?, in number: Int) -> KeyedEncodingContainer<Key> {
        nest(.object, name, in: number).map { KeyedEncodingContainer(Members<Key>(encoder: self, level: $0)) }
            ?? elsewhere().container(keyedBy: type)
    }

    private func nested(_ name: String?, in number: Int) -> any UnkeyedEncodingContainer {
        nest(.array, name, in: number).map { Elements(encoder: self, level: $0) } ?? elsewhere().unkeyedContainer()
    }

    private func elsewhere() -> JSONTreeEncoder {
        needsTree = true
        return JSONTreeEncoder(writesTexts: writesTexts)
    }

    /// Other integers and fractions come through the generic method, which leads to ``Single``.
    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: JSONTextEncoder
        let level: Int
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { encoder.addScalar(key, to: level) { encoder.printer.output.append("null" as StaticString) } }
        func encode(_ value: Bool, forKey key: Key) { encoder.addScalar(key, to: level) { encoder.write(value) } }
        func encode(_ value: String, forKey key: Key) { encoder.addScalar(key, to: level) { encoder.printer.quote(value) } }
        func encode(_ value: Int, forKey key: Key) { encoder.addScalar(key, to: level) { encoder.write(number: String(value)) } }
        func encode(_ value: Int64, forKey key: Key) { encoder.addScalar(key, to: level) { encoder.write(number: String(value)) } }
        func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.add(key, to: level) { try encoder.write(value) } }

        /// The protocol's own goes through a witness for each part of the question.
        func encodeIfPresent(_ value: String?, forKey key: Key) { if let value { encode(value, forKey: key) } }
        func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
            encoder.nested(type, key.stringValue, in: level)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.nested(key.stringValue, in: level) }
        func superEncoder() -> any Encoder { encoder.elsewhere() }
        func superEncoder(forKey key: Key) -> any Encoder { encoder.elsewhere() }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let encoder: JSONTextEncoder
        let level: Int
        var codingPath: [any CodingKey] { [] }
        var count: Int { encoder.count(of: level) }

        func encodeNil() { encoder.addScalar(to: level) { encoder.printer.output.append("null" as StaticString) } }
        func encode(_ value: Bool) { encoder.addScalar(to: level) { encoder.write(value) } }
        func encode(_ value: String) { encoder.addScalar(to: level) { encoder.printer.quote(value) } }
        func encode(_ value: some Encodable) throws { try encoder.add(to: level) { try encoder.write(value) } }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            encoder.nested(type, nil, in: level)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nested(nil, in: level) }
        func superEncoder() -> any Encoder { encoder.elsewhere() }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: JSONTextEncoder
        var codingPath: [any CodingKey] { [] }

        private func set(_ number: some FixedWidthInteger) { encoder.set { encoder.write(number: String(number)) } }

        private func set(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws {
            let text = try JSONScalar.number(number)
            encoder.set { encoder.write(number: text) }
        }

        func encodeNil() { encoder.set { encoder.printer.output.append("null" as StaticString) } }
        func encode(_ value: Bool) { encoder.set { encoder.write(value) } }
        func encode(_ value: String) { encoder.set { encoder.printer.quote(value) } }
        func encode(_ value: Double) throws { try set(value) }
        func encode(_ value: Float) throws { try set(value) }
        func encode(_ value: Int) { set(value) }
        func encode(_ value: Int8) { set(value) }
        func encode(_ value: Int16) { set(value) }
        func encode(_ value: Int32) { set(value) }
        func encode(_ value: Int64) { set(value) }
        func encode(_ value: UInt) { set(value) }
        func encode(_ value: UInt8) { set(value) }
        func encode(_ value: UInt16) { set(value) }
        func encode(_ value: UInt32) { set(value) }
        func encode(_ value: UInt64) { set(value) }
        func encode(_ value: some Encodable) throws { try encoder.set { try encoder.write(value) } }
    }
}
