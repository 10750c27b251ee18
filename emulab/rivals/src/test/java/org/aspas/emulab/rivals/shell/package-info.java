/** Tests of {@code org.aspas.emulab.rivals.shell}. */
package org.aspas.emulab.rivals.shell;
