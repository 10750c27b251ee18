/** Tests of what a demo tells, without its servers. */
@NullMarked
package org.aspas.emulab.console.demo;

import org.jspecify.annotations.NullMarked;
