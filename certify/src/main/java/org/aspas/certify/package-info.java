/** What can be proved, and how: pure code without input, output, clock or thread. */
@NullMarked
package org.aspas.certify;

import org.jspecify.annotations.NullMarked;
