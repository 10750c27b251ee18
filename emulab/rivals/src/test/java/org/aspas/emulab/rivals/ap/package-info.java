/** Tests of {@code org.aspas.emulab.rivals.ap}. */
package org.aspas.emulab.rivals.ap;
