/// What became of every case of one file. Cases left out are counted under their reason, so that none disappears.
struct WycheproofTally {
    var file: String
    var total: Int
    var validAccepted = 0
    var invalidRefused = 0
    /// "acceptable" cases by what we did and why that is right.
    var acceptable: [String: Int] = [:]
    var leftOut: [String: Int] = [:]
    /// Cases that went the wrong way.
    var wrong: [String] = []

    init(_ file: String, total: Int) {
        self.file = file
        self.total = total
    }

    mutating func record(_ id: Int, _ result: WycheproofResult, isAccepted: Bool, comment: String, why: String = "") {
        switch (result, isAccepted) {
        case (.valid, true): validAccepted += 1
        case (.invalid, false): invalidRefused += 1
        case (.acceptable, true): acceptable["accepted: \(why)", default: 0] += 1
        case (.acceptable, false): acceptable["refused: \(why)", default: 0] += 1
        case (.valid, false): wrong.append("case \(id) is valid and was refused: \(comment)")
        case (.invalid, true): wrong.append("case \(id) is invalid and was accepted: \(comment)")
        }
    }

    mutating func leaveOut(_ reason: String) { leftOut[reason, default: 0] += 1 }

    var counted: Int {
        validAccepted + invalidRefused + acceptable.values.reduce(0, +) + leftOut.values.reduce(0, +) + wrong.count
    }

    var table: String {
        var lines = ["\(file): \(total) cases, \(validAccepted) valid accepted, \(invalidRefused) invalid refused, \(wrong.count) wrong"]
        lines += acceptable.sorted { $0.key < $1.key }.map { "    acceptable, \($0.key): \($0.value)" }
        lines += leftOut.sorted { $0.key < $1.key }.map { "    left out, \($0.key): \($0.value)" }
        lines += wrong.map { "    WRONG: \($0)" }
        return lines.joined(separator: "\n")
    }
}
