// A test program whose cases were all lost.
