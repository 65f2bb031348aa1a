#pragma once

#include <nlohmann/json.hpp>

// What JSON's two types are made of is compiled once, in json_instances.cpp, and not in every
// source that uses them: a tenth of what these take to compile. Among the precompiled headers;
// nothing else includes this.

extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template class nlohmann::detail::serializer<nlohmann::json>;
extern template class nlohmann::detail::serializer<nlohmann::ordered_json>;
extern template class nlohmann::detail::json_sax_dom_parser<nlohmann::json>;
extern template class nlohmann::detail::json_sax_dom_parser<nlohmann::ordered_json>;
extern template class nlohmann::detail::json_sax_dom_callback_parser<nlohmann::json>;
extern template class nlohmann::detail::json_sax_dom_callback_parser<nlohmann::ordered_json>;
