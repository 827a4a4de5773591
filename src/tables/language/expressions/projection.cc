#include "tables/language/expressions/projection.h"

#include <algorithm>
#include <memory>

namespace tintype::tables {

// The paths as a tree. Children are sorted as map entries and list members are, so that one walk
// over a container meets them in order.
struct Projection::Node {
  PathStep step;
  std::vector<Node> children;  // None: the whole value is shown.

  static bool Before(const PathStep& a, const PathStep& b) {
    return a.is_index != b.is_index ? a.is_index
                                    : (a.is_index ? a.index < b.index : a.name < b.name);
  }

  void Insert(const Path& path) {
    Node* node = this;
    for (const PathStep& next : path.steps) {
      auto at = std::lower_bound(
          node->children.begin(), node->children.end(), next,
          [](const Node& child, const PathStep& wanted) { return Before(child.step, wanted); });
      if (at == node->children.end() || at->step != next) {
        at = node->children.insert(at, Node{next, {}});
      }
      node = &*at;
    }
  }

  // Calls visit(name, value, child) for each entry of `map` that a child names.
  template <typename Visitor>
  void VisitEntries(MapView map, const Visitor& visit) const {
    auto child = children.begin();
    for (auto entry = map.begin(); entry != map.end() && child != children.end();) {
      const auto [name, value] = *entry;
      if (child->step.is_index || child->step.name.compare(name) < 0) {
        ++child;
        continue;
      }
      if (child->step.name == name) {
        visit(name, value, *child++);
      }
      ++entry;
    }
  }

  // Calls visit(value, child) for each member of `list` that a child numbers.
  template <typename Visitor>
  void VisitMembers(ListView list, const Visitor& visit) const {
    auto child = children.begin();
    uint32_t index = 0;
    for (const ValueView member : list) {
      if (child == children.end() || !child->step.is_index) {
        return;
      }
      if (child->step.index == index++) {
        visit(member, *child++);
      }
    }
  }

  // True if anything of `value` is shown. A container of which nothing is left is not shown empty.
  bool Shows(ValueView value) const {
    bool shown = children.empty();
    if (!shown && value.type() == Type::kMap) {
      VisitEntries(value.AsMap(), [&](std::string_view, ValueView entry, const Node& child) {
        shown = shown || child.Shows(entry);
      });
    } else if (!shown && value.type() == Type::kList) {
      VisitMembers(value.AsList(), [&](ValueView member, const Node& child) {
        shown = shown || child.Shows(member);
      });
    }
    return shown;
  }

  void WriteEntries(MapView map, ValueWriter& writer) const {
    VisitEntries(map, [&](std::string_view name, ValueView value, const Node& child) {
      if (child.Shows(value)) {
        writer.Name(name);
        child.Write(value, writer);
      }
    });
  }

  // REQUIRES: Shows(value).
  void Write(ValueView value, ValueWriter& writer) const {
    if (children.empty()) {
      writer.Encoded(value.encoded());
    } else if (value.type() == Type::kMap) {
      writer.OpenMap();
      WriteEntries(value.AsMap(), writer);
      writer.CloseMap();
    } else {
      writer.OpenList();
      VisitMembers(value.AsList(), [&](ValueView member, const Node& child) {
        if (child.Shows(member)) {
          child.Write(member, writer);
        }
      });
      writer.CloseList();
    }
  }
};

Projection::Projection(std::vector<Path> paths) : paths_(std::move(paths)) {
  auto root = std::make_shared<Node>();
  for (const Path& path : paths_) {
    root->Insert(path);
  }
  root_ = std::move(root);
}

Projection Projection::OfAttributes(const std::vector<std::string>& names) {
  std::vector<Path> paths;
  paths.reserve(names.size());
  for (const std::string& name : names) {
    paths.push_back(Path::Attribute(name));
  }
  return Projection(std::move(paths));
}

Item Projection::Apply(MapView item) const {
  std::string payload;
  ValueWriter writer(payload);
  writer.OpenItem();
  root_->WriteEntries(item, writer);
  writer.CloseItem();
  return Item(std::move(payload));
}

}  // namespace tintype::tables
