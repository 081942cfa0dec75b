// The one place where Beast's own functions are compiled (BOOST_BEAST_SEPARATE_COMPILATION).
#include <boost/beast/src.hpp>
