import BillfoldDiagnosis

/// A token's signature of which the end is missing: BER says of each element how far it goes.
enum CutSignature {
    /// Whether the bytes end inside of an element.
    static func endsEarly(_ bytes: [UInt8]) -> Bool {
        /// Where each open element ends; nil for one that is ended by two zero bytes.
        var open: [Int?] = []
        var position = 0
        repeat {
            while let end = open.last, let end, position >= end { open.removeLast() }
            if !open.isEmpty || position == 0 {
                guard let element = Element(bytes, at: position) else { return true }
                position = element.content
                if element.isEnd, case .some(.none) = open.last {
                    open.removeLast()
                } else if let length = element.length {
                    guard length <= bytes.count - position else { return true }
                    if element.isConstructed { open.append(position + length) } else { position += length }
                } else {
                    open.append(nil)
                }
            }
        } while !open.isEmpty && open.count < 64
        return false
    }

    private struct Element {
        var isConstructed: Bool
        /// Nil for the indefinite form.
        var length: Int?
        /// Where the content begins.
        var content: Int
        var isEnd: Bool

        /// Nil where the bytes end inside of tag or length.
        init?(_ bytes: [UInt8], at start: Int) {
            guard start + 1 < bytes.count else { return nil }
            let (tag, first) = (bytes[start], bytes[start + 1])
            isConstructed = tag & 0x20 != 0
            isEnd = tag == 0 && first == 0
            guard first & 0x80 != 0 else {
                (length, content) = (Int(first), start + 2)
                return
            }
            let count = Int(first & 0x7F)
            guard count <= 4, start + 2 + count <= bytes.count else { return nil }
            content = start + 2 + count
            length = count == 0 ? nil : bytes[(start + 2)..<content].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    static func finding(_ bytes: [UInt8], in name: String) -> Finding {
        let characters = (bytes.count + 2) / 3 * 4
        let isRound = [255, 256, 500, 512, 1_000, 1_024, 2_000, 2_048, 3_000, 4_000, 4_096].contains(characters)
        return Finding(
            code: "apple-pay.token.signature-cut", subject: name,
            cause: "The signature ends early: it was cut on its way, as a column or a log line that is too short does.",
            evidence: [
                .init("bytes", String(bytes.count)),
                .init("characters of base64", "\(characters)\(isRound ? ", a round number" : "")"),
            ],
            mend: "Keep the token whole: a signature has three to five thousand characters. Widen the column, and log tokens not at all.")
    }
}
