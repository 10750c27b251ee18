/** Tests of {@code org.aspas.emulab.report}. */
package org.aspas.emulab.report;
