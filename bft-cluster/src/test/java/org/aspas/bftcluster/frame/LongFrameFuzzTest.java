package org.aspas.bftcluster.frame;

import org.junit.jupiter.api.Tag;

/** The same with a million frames and a million requests. */
@Tag("attack")
class LongFrameFuzzTest extends FrameFuzzTest {}
