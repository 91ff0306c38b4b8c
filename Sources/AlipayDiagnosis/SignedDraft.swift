import Alipay
import Foundation

/// The text that a signature is thought to cover, taken apart so that each part can be varied.
struct SignedDraft {
    struct Pair: Equatable {
        var name: String
        var value: [UInt8]
    }

    /// All pairs of the message in the order in which they came. Empty for an answer, whose text is its node.
    var pairs: [Pair] = []
    /// An answer's node.
    var node: [UInt8] = []
    var isQuoted = false
    var isSorted = false
    var keepsEmpty = false
    /// Keys that no signature covers.
    var left: Set<String> = []
    /// Keys of pairs that stand behind both `sign` and `sign_type`.
    var behind: [String] = []
    /// The message's charset.
    var charset = AlipayCharset.utf8
    /// The charset that the signer took instead.
    var recoded: AlipayCharset?
    var suffix: [UInt8] = []

    /// Nil when the text does not exist in the charset that the signer took.
    func text() -> [UInt8]? {
        var bytes = node.isEmpty ? joined() : node
        bytes += suffix
        guard let recoded else { return bytes }
        return (try? charset.decode(bytes)).flatMap { try? recoded.encode($0) }
    }

    private func joined() -> [UInt8] {
        var covered = pairs.filter { !left.contains($0.name) && (keepsEmpty || !$0.value.isEmpty) }
        if isSorted { covered.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
        var bytes: [UInt8] = []
        for pair in covered {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            bytes += pair.name.utf8
            bytes.append(UInt8(ascii: "="))
            if isQuoted { bytes.append(UInt8(ascii: "\"")) }
            bytes += pair.value
            if isQuoted { bytes.append(UInt8(ascii: "\"")) }
        }
        return bytes
    }

    /// This draft with one value changed, for every value that `change` changes, and with all of them changed at once.
    func changingValues(_ change: (Pair) -> [UInt8]?) -> [(draft: SignedDraft, names: [String])] {
        var whole = self
        var names: [String] = []
        var drafts: [(SignedDraft, [String])] = []
        for index in pairs.indices where !left.contains(pairs[index].name) {
            guard let value = change(pairs[index]), value != pairs[index].value else { continue }
            var one = self
            one.pairs[index].value = value
            whole.pairs[index].value = value
            names.append(pairs[index].name)
            drafts.append((one, [pairs[index].name]))
        }
        if names.count > 1 { drafts.append((whole, names)) }
        return drafts
    }
}
