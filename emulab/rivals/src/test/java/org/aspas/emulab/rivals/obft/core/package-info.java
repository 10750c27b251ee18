/** Tests of {@code org.aspas.emulab.rivals.obft.core}. */
package org.aspas.emulab.rivals.obft.core;
