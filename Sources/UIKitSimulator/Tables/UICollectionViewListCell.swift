public import Foundation

/// What a collection shows: a cell, or what stands above or below a section.
@MainActor
@preconcurrency
open class UICollectionReusableView: UIView {
    open internal(set) var reuseIdentifier: String?

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Called before the collection hands the view out again.
    open func prepareForReuse() {}
}

/// A row of a collection that is laid out as a list.
@MainActor
@preconcurrency
open class UICollectionViewListCell: UICollectionViewCell {
    open var accessories: [UICellAccessory] = []
    open var indentationLevel = 0

    /// A configuration that is empty yet.
    open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}

/// What stands at the end of a row. Nothing is drawn.
public struct UICellAccessory: Sendable {
    private let name: String

    /// An arrow.
    public static func disclosureIndicator() -> UICellAccessory { UICellAccessory(name: "disclosureIndicator") }
    /// A mark.
    public static func checkmark() -> UICellAccessory { UICellAccessory(name: "checkmark") }
    /// What deletes the row.
    public static func delete() -> UICellAccessory { UICellAccessory(name: "delete") }
}

extension UICollectionView {
    /// Makes cells of a class, and fills them. It replaces registering a class.
    public struct CellRegistration<Cell: UICollectionViewCell, Item> {
        /// Fills a cell.
        public typealias Handler = (Cell, IndexPath, Item) -> Void

        let handler: Handler
        private let name = NSObject()

        public init(handler: @escaping Handler) { self.handler = handler }

        /// Each registration has its own cells.
        var identifier: String { "\(ObjectIdentifier(name))" }
    }

    /// A cell that is seen no more, or else a new one, filled by the registration.
    public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
        using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
    ) -> Cell {
        register(Cell.self, forCellWithReuseIdentifier: registration.identifier)
        let made = dequeueReusableCell(withReuseIdentifier: registration.identifier, for: indexPath)
        let cell = made as? Cell ?? Cell(dequeuedAs: registration.identifier)
        if let item { registration.handler(cell, indexPath, item) }
        return cell
    }
}

/// How a list is drawn. It is set and read.
public struct UICollectionLayoutListConfiguration: Sendable {
    /// Whether sections stand apart.
    public enum Appearance: Int, Sendable {
        case plain = 0
        case grouped, insetGrouped, sidebar, sidebarPlain
    }

    public var appearance: Appearance
    public var showsSeparators = true
    public var backgroundColor: UIColor?

    public init(appearance: Appearance) { self.appearance = appearance }
}

/// A layout of parts. Nothing is laid out.
@MainActor
@preconcurrency
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
    /// A list.
    open class func list(using configuration: UICollectionLayoutListConfiguration) -> UICollectionViewCompositionalLayout {
        UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection.list(using: configuration))
    }

    /// All sections alike.
    public init(section: NSCollectionLayoutSection) { super.init() }
}

/// How large an item or a group is.
@MainActor
@preconcurrency
open class NSCollectionLayoutDimension: NSObject {
    public let dimension: CGFloat

    private init(_ dimension: CGFloat) { self.dimension = dimension }

    /// A number of points.
    open class func absolute(_ absoluteDimension: CGFloat) -> NSCollectionLayoutDimension { NSCollectionLayoutDimension(absoluteDimension) }
    /// About a number of points.
    open class func estimated(_ estimatedDimension: CGFloat) -> NSCollectionLayoutDimension {
        NSCollectionLayoutDimension(estimatedDimension)
    }
    /// A part of the width of what it is in.
    open class func fractionalWidth(_ fractionalWidth: CGFloat) -> NSCollectionLayoutDimension {
        NSCollectionLayoutDimension(fractionalWidth)
    }
    /// A part of the height of what it is in.
    open class func fractionalHeight(_ fractionalHeight: CGFloat) -> NSCollectionLayoutDimension {
        NSCollectionLayoutDimension(fractionalHeight)
    }
}

/// Width and height.
@MainActor
@preconcurrency
open class NSCollectionLayoutSize: NSObject {
    public let widthDimension: NSCollectionLayoutDimension
    public let heightDimension: NSCollectionLayoutDimension

    public init(widthDimension width: NSCollectionLayoutDimension, heightDimension height: NSCollectionLayoutDimension) {
        (widthDimension, heightDimension) = (width, height)
    }
}

/// An item of a layout.
@MainActor
@preconcurrency
open class NSCollectionLayoutItem: NSObject {
    public let layoutSize: NSCollectionLayoutSize
    open var contentInsets = NSDirectionalEdgeInsets.zero

    public init(layoutSize: NSCollectionLayoutSize) { self.layoutSize = layoutSize }
}

/// Items beside or below each other.
@MainActor
@preconcurrency
open class NSCollectionLayoutGroup: NSCollectionLayoutItem {
    open var interItemSpacing: NSCollectionLayoutSpacing?
    public private(set) var subitems: [NSCollectionLayoutItem] = []

    /// Items beside each other.
    open class func horizontal(layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]) -> NSCollectionLayoutGroup {
        group(layoutSize, subitems)
    }

    /// Items below each other.
    open class func vertical(layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]) -> NSCollectionLayoutGroup {
        group(layoutSize, subitems)
    }

    private static func group(_ size: NSCollectionLayoutSize, _ items: [NSCollectionLayoutItem]) -> NSCollectionLayoutGroup {
        let group = NSCollectionLayoutGroup(layoutSize: size)
        group.subitems = items
        return group
    }
}

/// Room between items.
@MainActor
@preconcurrency
open class NSCollectionLayoutSpacing: NSObject {
    public let spacing: CGFloat

    private init(_ spacing: CGFloat) { self.spacing = spacing }

    /// So much.
    open class func fixed(_ fixedSpacing: CGFloat) -> NSCollectionLayoutSpacing { NSCollectionLayoutSpacing(fixedSpacing) }
    /// At least so much.
    open class func flexible(_ flexibleSpacing: CGFloat) -> NSCollectionLayoutSpacing { NSCollectionLayoutSpacing(flexibleSpacing) }
}

/// A section of a layout. It is set and read.
@MainActor
@preconcurrency
open class NSCollectionLayoutSection: NSObject {
    /// A list.
    open class func list(using configuration: UICollectionLayoutListConfiguration) -> NSCollectionLayoutSection {
        let full = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(44))
        return NSCollectionLayoutSection(group: .vertical(layoutSize: full, subitems: [NSCollectionLayoutItem(layoutSize: full)]))
    }

    open var contentInsets = NSDirectionalEdgeInsets.zero
    open var interGroupSpacing: CGFloat = 0

    public init(group: NSCollectionLayoutGroup) { super.init() }
}
