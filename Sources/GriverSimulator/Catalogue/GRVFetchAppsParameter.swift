public import Foundation

// By what a list is sorted (mini-programs.md#lists-of-programs [D 3]). No page prints the values: each is its own name. [I]

public let GRVAppIdSortDescriptorKey = "GRVAppIdSortDescriptorKey"
public let GRVPublishTimeSortDescriptorKey = "GRVPublishTimeSortDescriptorKey"
public let GRVAppNameSortDescriptorKey = "GRVAppNameSortDescriptorKey"
public let GRVAppDescSortDescriptorKey = "GRVAppDescSortDescriptorKey"
public let GRVAppCreateTimeSortDescriptorKey = "GRVAppCreateTimeSortDescriptorKey"

/// Which part of the list is asked for. The call that takes it reads it once.
public final class GRVFetchAppsParameter: NSObject {
    public var queryStartIndex: UInt = 0
    /// At most 50 come in one answer, whatever is asked for.
    public var querySize: UInt = 0
    public var sortDescriptor: String? = GRVAppCreateTimeSortDescriptorKey
    public var ascending = true
    /// A category's id, of any level [I]; nil for all.
    public var category: String?

    public override init() { super.init() }
}

/// A question for a part of the list, apart from the object that it was asked with.
struct CatalogueQuery: Sendable {
    static let most = 50

    private let start: Int
    private let size: Int
    private let order: String
    private let isAscending: Bool
    private let category: String?

    /// Nil for an order that there is not, and for a place beyond any list.
    init?(_ parameter: GRVFetchAppsParameter) {
        let order = parameter.sortDescriptor ?? GRVAppCreateTimeSortDescriptorKey
        guard Self.orders.contains(order), let start = Int(exactly: parameter.queryStartIndex) else { return nil }
        self.start = start
        size = Int(min(parameter.querySize, UInt(Self.most)))
        self.order = order
        isAscending = parameter.ascending
        category = parameter.category
    }

    private static let orders: Set<String> = [
        GRVAppIdSortDescriptorKey, GRVPublishTimeSortDescriptorKey, GRVAppNameSortDescriptorKey, GRVAppDescSortDescriptorKey,
        GRVAppCreateTimeSortDescriptorKey,
    ]

    /// How many fit, and the part that was asked for. Texts are in order without regard to letter case (utf8mb4_general_ci [D 3]).
    func part(of all: [ListedProgram]) -> (total: Int, programs: [ListedProgram]) {
        let fitting = all.filter { $0.isIn(category) }.sorted { left, right in
            let (first, second) = isAscending ? (left, right) : (right, left)
            return isBefore(first, second)
        }
        return (fitting.count, Array(fitting.dropFirst(start).prefix(size)))
    }

    private func isBefore(_ left: ListedProgram, _ right: ListedProgram) -> Bool {
        switch order {
        case GRVAppIdSortDescriptorKey: left.appID.lowercased() < right.appID.lowercased()
        case GRVAppNameSortDescriptorKey: left.name.lowercased() < right.name.lowercased()
        case GRVAppDescSortDescriptorKey: left.introduction.lowercased() < right.introduction.lowercased()
        case GRVPublishTimeSortDescriptorKey: left.firstPublished < right.firstPublished
        default: left.created < right.created
        }
    }
}

extension ListedProgram {
    /// Whether it is in a category, of any level; everything is in none.
    func isIn(_ category: String?) -> Bool {
        guard let category, !category.isEmpty else { return true }
        return categories.contains { $0.levels.contains { $0.id.utf8.elementsEqual(category.utf8) } }
    }
}
