/// Names of a list, the most similar to a text first.
struct NearestNames {
    private let ranked: [(name: String, distance: Int)]
    private let text: String

    /// - Parameters:
    ///   - text: What was typed.
    ///   - names: What there is. Of two that are as near, the first in the list comes first.
    init(of text: String, among names: [String]) {
        self.text = text.lowercased()
        let typed = Array(self.text)
        ranked = names.enumerated().map { (position: $0.offset, name: $0.element, distance: Self.distance(typed, Array($0.element))) }
            .sorted { ($0.distance, $0.position) < ($1.distance, $1.position) }.map { ($0.name, $0.distance) }
    }

    /// So many of them, near or not.
    func first(_ count: Int) -> [String] { ranked.prefix(count).map(\.name) }

    /// Those that a slip of the hand may have meant: a third of the letters differ at most, or what was typed begins the name.
    var likely: [String] {
        ranked.filter { $0.distance <= max(1, text.count / 3) || text.count > 2 && $0.name.hasPrefix(text) }.prefix(3).map(\.name)
    }

    /// How many letters are added, left out, exchanged, or swapped with their neighbour.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other { best = min(best, beforeLast[column - 1] + 1) }
                next.append(best)
            }
            (beforeLast, last) = (last, next)
        }
        return last[right.count]
    }
}
