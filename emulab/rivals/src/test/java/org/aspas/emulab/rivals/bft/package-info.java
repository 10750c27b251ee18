/** Tests of {@code org.aspas.emulab.rivals.bft}. */
package org.aspas.emulab.rivals.bft;
