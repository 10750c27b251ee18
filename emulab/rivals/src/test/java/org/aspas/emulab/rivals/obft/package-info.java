/** Tests of {@code org.aspas.emulab.rivals.obft}. */
package org.aspas.emulab.rivals.obft;
